import type { EmitOptions, Emitter } from "../emit/emitter.js";
import { emitBoundary } from "../emit/boundary/emit-boundary.js";
import { emitJsonSchema } from "../emit/json-schema/emit-json-schema.js";
import { emitMarkdown } from "../emit/markdown/emit-markdown.js";
import { emitTypescript } from "../emit/typescript/emit-typescript.js";

/** What will be emitted, and the folders that will hold nothing else. */
export interface Plan {
  readonly emitters: readonly NamedEmitter[];
  readonly options: EmitOptions;
  readonly folders: readonly string[];
}

/** An emitter, with the name that timings give it. */
export interface NamedEmitter {
  readonly name: string;
  readonly emit: Emitter;
}

/** Where our own generated files go. */
export const ownFolders: EmitOptions = {
  typescript: "packages/domain/src/gen",
  reference: "docs/reference",
};

/** Our own emitters, then those that a caller adds. */
export function planEmitters(
  options: EmitOptions = ownFolders,
  extra: readonly NamedEmitter[] = [],
): Plan {
  return {
    emitters: [
      { name: "typescript", emit: emitTypescript },
      { name: "boundary", emit: emitBoundary },
      { name: "json-schema", emit: emitJsonSchema },
      { name: "markdown", emit: emitMarkdown },
      ...extra,
    ],
    options,
    folders: [options.typescript, options.reference],
  };
}
