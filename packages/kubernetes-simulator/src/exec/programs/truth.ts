import { status, type Running } from "../process/program.js";

/** `true`, and `:` in a shell. */
// eslint-disable-next-line require-yield -- It asks for nothing.
export function* succeed(): Running {
  return status(0);
}

/** `false` */
// eslint-disable-next-line require-yield -- It asks for nothing.
export function* fail(): Running {
  return status(1);
}
