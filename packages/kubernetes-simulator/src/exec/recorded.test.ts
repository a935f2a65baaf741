import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { openExecClient, type ExecClient, type Seen } from "../testing/exec-client.js";
import { openExecRig } from "../testing/exec-rig.js";
import { makeManualTimers } from "../testing/manual-timers.js";

// What a v1.35.4 API server, its kubelet, containerd and busybox answered, recorded over raw
// WebSockets on 2026-11-30. Each exec is asked of the simulator again and has to be answered byte
// for byte: status line, header names, greeting, what came on each channel, close code.

interface Recorded {
  readonly pod: "p" | "done";
  readonly argv: readonly string[];
  readonly container?: string;
  readonly offer: readonly string[];
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  /** Milliseconds after the switch, and what was sent, as base64. */
  readonly send?: readonly (readonly [number, string])[];
  readonly answered?: Answered;
  readonly stream?: Streamed;
}

interface Answered {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

interface Streamed {
  readonly headers: readonly string[];
  readonly protocol: string;
  readonly greeting: string;
  readonly text: boolean;
  /** By the first byte of the message, as latin 1; the runtime's ids are zeros. */
  readonly channels: Readonly<Record<string, string>>;
  readonly close: number;
}

/** What the simulator does otherwise, and why. One that is named here and agrees fails too. */
const DIFFERENCES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "the shell is a small one, and says so",
    [
      "if",
      "test 1 = 1; echo $?",
      "[ 1 = 2 ]; echo $?",
      "echo $((1+2))",
      "echo $(echo sub)",
      "echo `echo sub`",
      "for i in 1 2; do echo $i; done",
      "while true; do echo a; break; done",
      "case a in a) echo y;; esac",
      "f() { echo f; }; f",
      "read x",
      "read x < /etc/passwd; echo $x",
      "return 3",
      "break",
      "shift",
      "eval 'echo ev'",
      "type echo",
      "command echo c",
      ". /nope",
      "sleep infinity & kill $!; wait $!; echo $?",
    ],
  ],
  ["names are not expanded from patterns", ["echo *"]],
  [
    "the container has few programs",
    [
      "env | grep ^HOME",
      "HOME=/x env | grep ^HOME",
      "export X=2; env | grep ^X",
      "X=3; env | grep ^X",
      "date +%Y >/dev/null; echo $?",
      "ls /nope",
      "wc -c </dev/null",
      "busybox echo q",
      "test 1 = 2",
      "[ 1 = 1 ]",
    ],
  ],
  ["programs do not explain themselves", ["sleep; true", "sleep"]],
  ["head knows no counts from the end", ["head -c -3 /etc/passwd"]],
  ["a container's environment is its own", ["env"]],
]);

// Left out of the recording: an unknown container, which is the API server's to refuse, and a
// terminal without stdin, whose output the real cluster loses now and then, in a race.
const recorded = JSON.parse(
  readFileSync(new URL("recorded/exec-v1.35.4.json", import.meta.url), "utf8"),
) as readonly Recorded[];

const groups = [...new Set(recorded.map(({ offer }) => offer.join(", ")))];

describe.each(groups)("offered %s, the simulator answers as a v1.35.4 cluster does", (offer) => {
  const execs = recorded.filter((exec) => exec.offer.join(", ") === offer);
  test.each(execs.map((exec) => [describeExec(exec), exec] as const))("%s", async (name, exec) => {
    const answer = await ask(exec);
    const isDifferent = [...DIFFERENCES.values()].some((names) => names.includes(name));
    if (isDifferent) expect(answer).not.toEqual(normalize(exec));
    else expect(answer).toEqual(normalize(exec));
  });
});

async function ask(exec: Recorded): Promise<Answered | Streamed> {
  const timers = makeManualTimers();
  const rig = await openExecRig({ timers });
  rig.setContainerRunning(exec.pod === "p");
  const client = openExecClient(rig, { ...exec, command: exec.argv });
  try {
    await client.until((seen) => seen.messages.length > 0 || seen.closeCode !== undefined);
    if (client.seen().answered === undefined) await converse(client, exec);
    timers.release();
    return summarize(await client.ended());
  } finally {
    await rig.close();
  }
}

// Without a status the client was the one to close, when it had waited long enough. (It closed
// without a code: Go answers that with a 1000, ws with nothing.)
async function converse(client: ExecClient, exec: Recorded): Promise<void> {
  const { send = [], stream } = exec;
  await client.send(...send.map(([, base64]) => Buffer.from(base64, "base64")));
  const isEndless = exec.stdin === true && stream?.channels["3"] === undefined;
  if (isEndless && stream?.protocol === "v4.channel.k8s.io") client.socket.close(1000);
}

function describeExec({ argv, tty, send, stdout, stderr }: Recorded): string {
  const command = argv[0] === "sh" && argv[1] === "-c" ? (argv[2] ?? "sh -c") : argv.join(" ");
  const typed = send?.map(([, base64]) => JSON.stringify(Buffer.from(base64, "base64").toString()));
  const without = [stdout === false ? " >&-" : "", stderr === false ? " 2>&-" : ""].join("");
  const marks = `${without}${tty === true ? " (tty)" : ""}`;
  return `${command}${marks}${typed === undefined ? "" : ` typed ${typed.join()}`}`;
}

function summarize(seen: Seen): Answered | Streamed {
  const headers = seen.headerNames;
  if (seen.answered !== undefined) return { ...seen.answered, headers };
  const channels = new Map<string, string>();
  for (const message of seen.messages.slice(1)) {
    const channel = String(message[0]);
    const text = message.subarray(1).toString("latin1");
    channels.set(channel, (channels.get(channel) ?? "") + text);
  }
  return {
    headers,
    protocol: seen.protocol ?? "",
    greeting: seen.messages[0]?.toString("latin1") ?? "",
    text: seen.textCount > 0,
    channels: normalizeChannels(Object.fromEntries(channels), seen.textCount > 0),
    close: seen.closeCode ?? 0,
  };
}

function normalize(exec: Recorded): Answered | Streamed | undefined {
  const { answered, stream } = exec;
  if (stream === undefined) return answered;
  return { ...stream, channels: normalizeChannels(stream.channels, stream.text) };
}

// The ids of the container runtime are its own.
function normalizeChannels(
  channels: Readonly<Record<string, string>>,
  isBase64: boolean,
): Readonly<Record<string, string>> {
  const entries = Object.entries(channels).map(([channel, text]) => {
    const plain = isBase64 ? Buffer.from(text, "base64").toString("latin1") : text;
    return [channel, plain.replaceAll(/[0-9a-f]{64}/gu, "ID")] as const;
  });
  return Object.fromEntries(entries);
}
