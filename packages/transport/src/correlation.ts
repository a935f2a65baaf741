import { correlationBytesMax } from "@connectors/domain";

/** The header that a Kubernetes API server takes its audit events' id from. */
export const correlationHeader = "audit-id";

/** Whether `text` can stand as a correlation: an id, or a short token. */
export function isCorrelation(text: string): boolean {
  return text.length <= correlationBytesMax && /^[A-Za-z0-9._-]+$/.test(text);
}
