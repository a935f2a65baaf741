import type { HandshakeRefusal } from "./handshake.js";
import type { ExecSession } from "./session.js";

/** What the API server hears when the simulated node's kubelet does not listen. */
export const REFUSED_DIAL = "dial tcp 127.0.0.1:10250: connect: connection refused";

const KUBELET_URL = "https://simulator:10250";

/** What a kubelet that can be reached refuses before any switch. */
export function whyKubeletRefuses(session: ExecSession): HandshakeRefusal | undefined {
  if (!session.stdin && !session.stdout && !session.stderr) {
    const body = "you must specify at least 1 of stdin, stdout, stderr";
    return { status: 400, reason: "Bad Request", headers: [], body };
  }
  if (session.containerRunning) return undefined;
  const body = `container not found ("${session.container}")`;
  return { status: 500, reason: "Internal Server Error", headers: [], body };
}

/** Writes a kubelet's plain answer as the API server passes it through, and ends the connection. */
export function writeKubeletAnswer(session: ExecSession, answer: HandshakeRefusal): void {
  const head = [
    `HTTP/1.1 ${answer.status} ${answer.reason}`,
    `Content-Length: ${Buffer.byteLength(answer.body)}`,
    "Content-Type: text/plain; charset=utf-8",
    `Date: ${new Date(session.cluster.clock.nowMs()).toUTCString()}`,
    ...answer.headers,
  ];
  session.socket.end(`${head.join("\r\n")}\r\n\r\n${answer.body}`);
  session.answered(answer.status);
}

/** What an API server that speaks v5 itself says of a kubelet that it cannot reach. */
export function describeUnreachable(session: ExecSession): string {
  const { namespace, name } = session.pod;
  const query = new URLSearchParams();
  for (const element of session.command) query.append("command", element);
  if (session.stderr) query.append("error", "1");
  if (session.stdin) query.append("input", "1");
  if (session.stdout) query.append("output", "1");
  if (session.tty) query.append("tty", "1");
  const path = `${namespace}/${name}/${session.container}`;
  const url = `${KUBELET_URL}/exec/${path}?${query.toString()}`;
  return `error sending request: Post "${url}": ${REFUSED_DIAL}`;
}
