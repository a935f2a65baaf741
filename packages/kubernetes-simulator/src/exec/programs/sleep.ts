import { complain, status, type Process, type Running } from "../process/program.js";

const DURATION = /^(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})([smhd]?)$/u;
const UNIT_MS: Readonly<Record<string, number>> = {
  "": 1_000,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** The longest that one timer waits; longer sleeps take several. */
const SLICE_MS = 2_000_000_000;

/** `sleep N...`: the sum of all, each in `s`, `m`, `h` or `d`; `infinity` has no end. */
export function* sleep(process: Process): Running {
  const words = process.argv.slice(1);
  if (words.length === 0) return yield* complain(process, "usage: sleep [N]...", 1);
  let leftMs = 0;
  for (const word of words) {
    const [, digits, unit] = DURATION.exec(word) ?? [];
    if (digits === undefined && word !== "infinity") {
      return yield* complain(process, `invalid number '${word}'`, 1);
    }
    leftMs += digits === undefined ? Infinity : Number(digits) * (UNIT_MS[unit ?? ""] ?? 1_000);
  }
  while (leftMs > 0) {
    const ms = Math.min(leftMs, SLICE_MS);
    yield { call: "sleep", ms };
    leftMs -= ms;
  }
  return status(0);
}
