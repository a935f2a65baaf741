import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { isJsonObject, parseJson, type JsonObject } from "../json-value.js";
import { makeSchemaSet, type SchemaSet } from "./schema.js";

/** One stored OpenAPI v3 document. */
export interface OpenApiDocument {
  /** Its place in the index: `apis/apps/v1`. */
  readonly path: string;
  /** The document as it is served. */
  readonly text: string;
  /** SHA-512 in upper-case hex, as the index and the ETag carry it. */
  readonly hash: string;
  readonly content: JsonObject;
}

const FILES: readonly { readonly path: string; readonly file: string }[] = [
  { path: "api/v1", file: "api_v1.json" },
  { path: "apis/apps/v1", file: "apps_v1.json" },
  { path: "apis/authentication.k8s.io/v1", file: "authentication.k8s.io_v1.json" },
  { path: "apis/authorization.k8s.io/v1", file: "authorization.k8s.io_v1.json" },
];

// The files never change while a process runs, and every simulator in it serves the same.
let documents: readonly OpenApiDocument[] | undefined;
let schemas: SchemaSet | undefined;

/** The documents from the package's data folder, which stands beside `src` and `dist` alike. */
export function readOpenApiDocuments(): readonly OpenApiDocument[] {
  documents ??= readFiles();
  return documents;
}

/** The schemas of the same documents. */
export function readSchemas(): SchemaSet {
  schemas ??= makeSchemaSet(readOpenApiDocuments().map(({ content }) => content));
  return schemas;
}

function readFiles(): readonly OpenApiDocument[] {
  return FILES.map(({ path, file }) => {
    const text = readFileSync(new URL(`../../data/${file}`, import.meta.url), "utf8");
    const content = parseJson(text);
    if (!isJsonObject(content)) throw new Error(`${file} is no OpenAPI document`);
    const hash = createHash("sha512").update(text).digest("hex").toUpperCase();
    return { path, text, hash, content };
  });
}
