import type { DnsLabel, DnsSubdomain, ExecArgument, ExecSubprotocol } from "@connectors/domain";
import type { HttpTarget } from "@connectors/sdk";

/** One command in one container. */
export interface ExecCommand {
  readonly namespace: DnsLabel;
  readonly pod: DnsSubdomain;
  readonly container: DnsLabel;
  /** argv, element by element; no shell is added. */
  readonly command: readonly ExecArgument[];
}

/** The WebSocket subprotocol of each remote command protocol. */
export const execSubprotocolNames: Readonly<Record<ExecSubprotocol, string>> = {
  v4: "v4.channel.k8s.io",
  v5: "v5.channel.k8s.io",
};

/** What each channel byte of an exec stream means; the server sends no other than these. */
export const execChannels = { stdout: 1, stderr: 2, status: 3 } as const;

/**
 * The GET that is upgraded to run a command: no stdin and no terminal, stdout and stderr on
 * channels of their own.
 */
export function makeExecTarget({ namespace, pod, container, command }: ExecCommand): HttpTarget {
  return {
    segments: ["api", "v1", "namespaces", namespace, "pods", pod, "exec"],
    query: [
      ["container", container],
      ...command.map((argument) => ["command", argument] as const),
      ["stdin", "false"],
      ["stdout", "true"],
      ["stderr", "true"],
      ["tty", "false"],
    ],
  };
}
