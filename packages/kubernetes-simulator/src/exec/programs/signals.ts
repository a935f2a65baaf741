/** Signals by name, with their numbers on Linux. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ["EXIT", 0],
  ["HUP", 1],
  ["INT", 2],
  ["QUIT", 3],
  ["ILL", 4],
  ["TRAP", 5],
  ["ABRT", 6],
  ["BUS", 7],
  ["FPE", 8],
  ["KILL", 9],
  ["USR1", 10],
  ["SEGV", 11],
  ["USR2", 12],
  ["PIPE", 13],
  ["ALRM", 14],
  ["TERM", 15],
  ["STKFLT", 16],
  ["CHLD", 17],
  ["CONT", 18],
  ["STOP", 19],
  ["TSTP", 20],
  ["TTIN", 21],
  ["TTOU", 22],
  ["URG", 23],
  ["XCPU", 24],
  ["XFSZ", 25],
  ["VTALRM", 26],
  ["PROF", 27],
  ["WINCH", 28],
  ["POLL", 29],
  ["PWR", 30],
  ["SYS", 31],
]);

const NAMES: ReadonlyMap<number, string> = new Map(
  [...NUMBERS].map(([name, value]) => [value, name]),
);

/** Signals that end nobody: ignored by default, or stops, which a simulated process cannot do. */
const HARMLESS: ReadonlySet<string> = new Set([
  "EXIT",
  "CHLD",
  "CONT",
  "STOP",
  "TSTP",
  "TTIN",
  "TTOU",
  "URG",
  "WINCH",
]);

/** The number that `text` says: a number, or a name with or without SIG. */
export function parseSignal(text: string): number | undefined {
  if (/^\d{1,2}$/u.test(text)) return NAMES.has(Number(text)) ? Number(text) : undefined;
  return NUMBERS.get(text.toUpperCase().replace(/^SIG/u, ""));
}

/** The name of a signal, without SIG. */
export function signalName(signal: number): string {
  return NAMES.get(signal) ?? String(signal);
}

/** Whether a process that does nothing about it dies of `signal`. */
export function isDeadly(signal: number): boolean {
  return !HARMLESS.has(signalName(signal));
}

/** What a shell prints when a program of its dies of `signal`; nothing for most. */
export function describeDeath(signal: number): string | undefined {
  return DEATHS.get(signal);
}

const DEATHS: ReadonlyMap<number, string> = new Map([
  [1, "Hangup"],
  [6, "Aborted"],
  [9, "Killed"],
  [15, "Terminated"],
]);

/** All signals as `kill -l` lists them. */
export function listSignals(): string {
  return [...NUMBERS]
    .filter(([, value]) => value > 0)
    .map(([name, value]) => `${String(value).padStart(2)}) ${name}\n`)
    .join("");
}
