/** A command line, read. */
export type CommandLine =
  | { readonly command: "help" }
  | { readonly command: "usage"; readonly problem: string }
  | { readonly command: "explain"; readonly code: string | undefined }
  | {
      readonly command: "check" | "generate";
      readonly verifyOnly: boolean;
      readonly format: "text" | "json";
      readonly root: string | undefined;
      readonly timings: boolean;
    };

/** What `ess --help` prints. */
export const helpText = `ess: checks models and generates code and documents from them

  ess check                reports everything that is wrong with the models
  ess generate             writes the generated files that differ, removes those no longer made
  ess generate --check     writes nothing; names what is missing, different, orphaned or foreign
  ess explain [CODE]       says what a code of a problem means, or lists them all

  --root DIR               the folder that holds ess/system.yaml; else the nearest one above
  --format text|json       how problems are reported
  --timings                says how long each stage took

Exit codes: 0 done, 1 problems in the models, 2 wrong usage, 3 generated files differ.`;

/** The meaning of a command line. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const [command, ...rest] = argv;
  if (command === undefined || ["help", "--help", "-h"].includes(command)) {
    return { command: "help" };
  }
  if (command === "explain") return { command, code: rest[0] };
  if (command !== "check" && command !== "generate") {
    return { command: "usage", problem: `unknown command '${command}'` };
  }
  let verifyOnly = false;
  let format: "text" | "json" = "text";
  let root: string | undefined;
  let timings = false;
  for (let index = 0; index < rest.length; index += 1) {
    const option = rest[index];
    if (option === "--check" && command === "generate") verifyOnly = true;
    else if (option === "--timings") timings = true;
    else if (option === "--root" || option === "--format") {
      index += 1;
      const value = rest[index];
      if (value === undefined) return { command: "usage", problem: `${option} needs a value` };
      if (option === "--root") root = value;
      else if (value === "text" || value === "json") format = value;
      else return { command: "usage", problem: `--format is text or json, not '${value}'` };
    } else {
      return { command: "usage", problem: `unknown option '${option ?? ""}'` };
    }
  }
  return { command, verifyOnly, format, root, timings };
}
