import type { Program } from "../process/program.js";
import { sh } from "../shell/sh.js";
import { cat } from "./cat.js";
import { echo } from "./echo.js";
import { env } from "./env.js";
import { head } from "./head.js";
import { hostname, id, pwd, whoami } from "./identity.js";
import { kill } from "./kill.js";
import { printf } from "./printf.js";
import { seq } from "./seq.js";
import { sleep } from "./sleep.js";
import { fail, succeed } from "./truth.js";
import { yes } from "./yes.js";

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["cat", cat],
  ["echo", echo],
  ["env", env],
  ["false", fail],
  ["head", head],
  ["hostname", hostname],
  ["id", id],
  ["kill", kill],
  ["printf", printf],
  ["pwd", pwd],
  ["seq", seq],
  ["sh", sh],
  ["sleep", sleep],
  ["true", succeed],
  ["whoami", whoami],
  ["yes", yes],
]);

const FOLDERS: readonly string[] = ["/bin/", "/usr/bin/"];

/** The program of that name, bare or in one of the usual folders. */
export function findProgram(name: string): Program | undefined {
  const folder = FOLDERS.find((each) => name.startsWith(each)) ?? "";
  return PROGRAMS.get(name.slice(folder.length));
}
