const VERSION_MAX = 18_446_744_073_709_551_615n;

/** The version that `text` says; 0 for none, undefined for text that is no version. */
export function parseVersion(text: string): bigint | undefined {
  if (text === "") return 0n;
  if (!/^[0-9]+$/u.test(text)) return undefined;
  const version = BigInt(text);
  return version > VERSION_MAX ? undefined : version;
}

/** What the server says of `text`, which is no version. */
export function describeVersionError(text: string): string {
  const why = /^[0-9]+$/u.test(text) ? "value out of range" : "invalid syntax";
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`;
}
