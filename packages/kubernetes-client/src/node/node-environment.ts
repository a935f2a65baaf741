import { homedir } from "node:os";

/** What a connection may know of the process around it. */
export interface NodeEnvironment {
  /** Given to exec plugins, and read for `KUBECONFIG` and the in-cluster address. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly workingFolder: string;
  /** True when an exec plugin may talk to a person: it then gets this process's stdin and stderr. */
  readonly terminal: boolean;
}

/** The environment of this process, without a terminal for exec plugins unless `terminal` says so. */
export function readNodeEnvironment(
  options: { readonly terminal?: boolean } = {},
): NodeEnvironment {
  return {
    variables: process.env,
    homeFolder: homedir(),
    workingFolder: process.cwd(),
    terminal: options.terminal ?? false,
  };
}
