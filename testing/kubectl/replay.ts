import { request as httpsRequest } from "node:https";
import type { Simulator } from "@connectors/kubernetes-simulator";
import type { RecordedRequest } from "./recording.js";

/** What a placeholder stands for on one simulated cluster. */
export function fillPlaceholders(text: string, simulator: Simulator): string {
  const pods = simulator.objects.list("", "pods", "web");
  const names = pods.map((pod) => {
    const { metadata } = pod as { metadata: { name: string } };
    return metadata.name;
  });
  return text
    .replaceAll("{pod}", names.find((name) => name.startsWith("api-")) ?? "none")
    .replaceAll("{version}", String(simulator.objects.version()))
    .replaceAll("{seconds}", "1")
    .replaceAll("{hash}", "recorded")
    .replaceAll("{time}", "2026-01-01T00:00:00Z");
}

/** Sends a recorded request as it was and answers the status; a watch is left at its headers. */
export function replayRequest(simulator: Simulator, recorded: RecordedRequest): Promise<number> {
  const { method, headers } = recorded;
  const path = fillPlaceholders(recorded.path, simulator);
  const query = fillPlaceholders(recorded.query, simulator);
  const body = fillPlaceholders(recorded.body, simulator);
  const upgrade =
    headers["upgrade"] === undefined
      ? {}
      : { connection: "Upgrade", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
  return new Promise((done, broken) => {
    const sent = httpsRequest(
      `${simulator.url}${path}${query === "" ? "" : `?${query}`}`,
      {
        method,
        ca: simulator.caPem,
        headers: {
          ...headers,
          ...upgrade,
          ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
          authorization: `Bearer ${simulator.admin.token}`,
        },
        agent: false,
      },
      (answer) => {
        done(answer.statusCode ?? 0);
        sent.destroy();
      },
    );
    sent.on("upgrade", (answer, socket) => {
      done(answer.statusCode ?? 0);
      socket.destroy();
    });
    sent.on("error", broken);
    sent.end(body);
  });
}
