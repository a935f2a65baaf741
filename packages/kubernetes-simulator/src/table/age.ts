const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A span of time as the server's tables have it: `65s`, `5m30s`, `3h5m`, `12d`. */
export function describeAge(ms: number): string {
  if (ms < -2 * SECOND) return "<invalid>";
  if (ms < 0) return "0s";
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return pair(ms, MINUTE, "m", SECOND, "s");
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return pair(ms, HOUR, "h", MINUTE, "m");
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return pair(ms, DAY, "d", HOUR, "h");
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return pair(ms, YEAR, "y", DAY, "d");
  return `${Math.floor(ms / YEAR)}y`;
}

function pair(ms: number, large: number, unit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${unit}${rest === 0 ? "" : `${rest}${smallUnit}`}`;
}
