/** A moment as objects carry it: RFC 3339 in UTC, to the second. */
export function formatTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The milliseconds since the epoch of an object's timestamp; 0 for one that is none. */
export function parseTimestamp(text: string | undefined): number {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? 0 : ms;
}
