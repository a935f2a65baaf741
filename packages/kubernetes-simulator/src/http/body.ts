import type { IncomingMessage } from "node:http";

import { simulatorBounds } from "../bounds.js";

/** What reading a body came to; `gone` is a client that hung up in the middle. */
export type BodyRead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too_large" }
  | { readonly kind: "gone" };

/** The request's whole body, never more than the bound in memory. */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number = simulatorBounds.bodyBytesMax,
): Promise<BodyRead> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > bytesMax) return { kind: "too_large" };
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (read: BodyRead): void => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("close", onGone);
      request.off("error", onGone);
      resolve(read);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > bytesMax) {
        request.pause();
        finish({ kind: "too_large" });
      } else {
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => {
      finish({ kind: "text", text: Buffer.concat(chunks).toString("utf8") });
    };
    const onGone = (): void => {
      finish({ kind: "gone" });
    };
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("close", onGone);
    request.on("error", onGone);
  });
}
