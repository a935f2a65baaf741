import type { World } from "../world/world.js";

/** Text in a colour, or as it was. */
export type Paint = (text: string) => string;

/** Colours for people, or none: the caller never asks which. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

/** Paints when `colour` is set, and gives text back untouched otherwise. */
export function makeStyle(colour: boolean): Style {
  const paint = ([on, off]: readonly number[]) =>
    colour ? (text: string) => `\u001b[${on}m${text}\u001b[${off}m` : (text: string) => text;
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
  };
}

/** The style of what goes to stderr. */
export function styleOf(world: World): Style {
  return makeStyle(world.colour);
}
