import type { FieldValidation } from "../objects/decode-body.js";
import type { Writer } from "../objects/world.js";
import { invalidOptions } from "../refusals.js";
import { invalid, unsupported, type FieldError } from "../rules/field-error.js";
import { accept, refuse, type Verdict } from "../verdict.js";
import type { ResourceRequest } from "./resource-request.js";

/** The parameters that all writes share. */
export interface WriteOptions {
  readonly writer: Writer;
  readonly validation: FieldValidation;
}

const MANAGER_LENGTH_MAX = 128;

/** Reads the query of a write; `options` is what the server calls them: `PatchOptions`. */
export function parseWriteOptions(
  request: ResourceRequest,
  options: "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions",
): Verdict<WriteOptions> {
  const errors: FieldError[] = [];
  const dryRun = request.query.getAll("dryRun").filter((value) => value !== "");
  if (dryRun.some((value) => value !== "All")) errors.push(unsupported("dryRun", dryRun, ["All"]));
  const validation = request.query.get("fieldValidation") ?? "";
  if (!isFieldValidation(validation)) {
    errors.push(unsupported("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"]));
  }
  const manager = request.query.get("fieldManager") ?? "";
  if (manager.length > MANAGER_LENGTH_MAX) {
    errors.push({
      reason: "FieldValueTooLong",
      field: "fieldManager",
      message: `Too long: may not be more than ${MANAGER_LENGTH_MAX} bytes`,
    });
  } else {
    const strange = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(manager);
    if (strange !== null) {
      const code = (strange[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const why = `invalid character U+${code} (at position ${strange.index})`;
      errors.push(invalid("fieldManager", manager, why));
    }
  }
  if (errors.length > 0) return refuse(invalidOptions(options, errors));
  return accept({
    writer: {
      manager: manager === "" ? request.agent : manager,
      user: request.user,
      dryRun: dryRun.length > 0,
    },
    validation: isFieldValidation(validation) && validation !== "" ? validation : "Warn",
  });
}

function isFieldValidation(text: string): text is FieldValidation | "" {
  return text === "" || text === "Ignore" || text === "Warn" || text === "Strict";
}

/** The Warning headers of an answer, joined as HTTP allows. */
export function warningHeaders(warnings: readonly string[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  const lines = warnings
    .slice(0, WARNINGS_MAX)
    .map(
      (warning) =>
        `299 - "${warning.replaceAll(/[^\u0020-\u007e]/gu, "?").replaceAll(/["\\]/gu, "\\$&")}"`,
    );
  return { Warning: lines.join(", ") };
}

// What one answer's head has room for.
const WARNINGS_MAX = 32;
