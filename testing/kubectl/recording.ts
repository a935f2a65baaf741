import type { RequestRecord } from "@connectors/kubernetes-simulator";

/** One request as it is kept: what differs from run to run is written as a placeholder. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

/** A flow's requests. */
export interface Recording {
  readonly flow: string;
  readonly requests: readonly RecordedRequest[];
}

// What says who, when and by which run is left out; what a server may look at stays.
const kept = [
  "accept",
  "content-type",
  "upgrade",
  "sec-websocket-protocol",
  "sec-websocket-version",
  "audit-id",
];

function normalize(text: string): string {
  return text
    .replaceAll(/api-[0-9a-z]{6,10}-[0-9a-z]{5}/g, "{pod}")
    .replaceAll(/resourceVersion=\d+/g, "resourceVersion={version}")
    .replaceAll(/timeoutSeconds=\d+/g, "timeoutSeconds={seconds}")
    .replaceAll(/hash=[^&]+/g, "hash={hash}")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "{time}");
}

/** A request of the simulator's log, as it is kept. */
export function recordRequest(record: RequestRecord): RecordedRequest {
  const headers = Object.entries(record.headers)
    .filter(([name]) => kept.includes(name))
    .map(([name, value]) => [name, typeof value === "string" ? value : value.join(", ")] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    method: record.method,
    path: normalize(record.path),
    query: normalize(record.query),
    headers: Object.fromEntries(headers),
    body: normalize(record.body ?? ""),
    status: record.status ?? 0,
  };
}

/** The same request whatever was answered: what `kubectl` asks, compared as text. */
export function describeRequest({ method, path, query, headers, body }: RecordedRequest): string {
  return JSON.stringify([method, path, query, headers, body]);
}
