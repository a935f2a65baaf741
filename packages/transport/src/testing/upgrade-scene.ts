import type { MessageStream, StreamEnd, UpgradeBounds, UpgradeOutcome } from "@connectors/sdk";
import type { ScopedHttp } from "../scoped-http.js";
import type { PeerScript } from "./hostile-peer.js";
import { encodeFrame, opcodes, switching, type Frame } from "./peer-frames.js";

/** The subprotocol that these tests offer. */
export const protocol = "v4.channel.k8s.io";

/** The one request that most of them make. */
export const execRequest: {
  readonly segments: readonly string[];
  readonly subprotocols: readonly string[];
} = { segments: ["exec"], subprotocols: [protocol] };

/** Bounds that an exec has. */
export const roomy: UpgradeBounds = {
  messageBytesMax: 1_048_576,
  totalBytesMax: 17_825_792,
  timeoutMs: 30_000,
};

/** Options of an upgrade, with a signal of its own unless one is given. */
export function upgrading(signal: AbortSignal = new AbortController().signal): {
  readonly correlation: string;
  readonly signal: AbortSignal;
} {
  return { correlation: "c-1", signal };
}

/** Upgrades once. */
export function upgrade(scope: ScopedHttp, bounds: UpgradeBounds = roomy): Promise<UpgradeOutcome> {
  return scope.intoUpgradeWrite(bounds).upgrade(execRequest, upgrading());
}

/** Upgrades once, to a stream. */
export async function accepted(
  scope: ScopedHttp,
  bounds: UpgradeBounds = roomy,
): Promise<MessageStream> {
  const outcome = await upgrade(scope, bounds);
  if (outcome.kind !== "accepted") throw new Error(`expected a stream: ${JSON.stringify(outcome)}`);
  return outcome.stream;
}

/** `kind code reason` of an outcome without a stream. */
export function told(outcome: UpgradeOutcome): string {
  if (outcome.kind === "accepted") return outcome.kind;
  if (outcome.kind === "answered") return `${outcome.kind} ${outcome.status}`;
  const { code, reason } = outcome.failure;
  return [outcome.kind, code, reason ?? ""].join(" ").trim();
}

/** The sizes of all messages and how they ended. */
export async function drain(stream: MessageStream): Promise<{ sizes: number[]; end: string }> {
  const sizes: number[] = [];
  for (;;) {
    const next = await stream.next();
    if ("end" in next) return { sizes, end: toldEnd(next) };
    sizes.push(next.message.length);
  }
}

/** How a stream ended, and why. */
export function toldEnd(end: StreamEnd): string {
  return end.end === "closed" ? "closed" : `${end.end} ${end.failure.code}`;
}

/** A script that switches, sends these frames, and then does nothing. */
export function sends(...frames: Frame[]): PeerScript {
  return switching(async (connection) => {
    for (const frame of frames) await connection.write(encodeFrame(frame));
    await connection.hang();
  });
}

/** A binary frame of zeros. */
export function binary(bytes: number): Frame {
  return { opcode: opcodes.binary, payload: new Uint8Array(bytes) };
}
