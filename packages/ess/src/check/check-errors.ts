import { type CheckContext, reportAt } from "./check-context.js";

/** Refuses advice that contradicts what is known, and numbers that are no codes. */
export function checkErrors(context: CheckContext): void {
  for (const error of context.ir.domains.flatMap((domain) => domain.errors)) {
    if (error.effect === "unknown" && error.retry === "safe") {
      const message = `'${error.code}' may have had an effect, so a second call is not safe`;
      reportAt(context, "ESS-ERR-001", error, message);
    }
    if (error.exit < 1 || error.exit > 255) {
      reportAt(context, "ESS-ERR-002", error, `exit code ${error.exit} is not within 1..255`);
    }
    if (error.http < 400 || error.http > 599) {
      reportAt(context, "ESS-ERR-002", error, `HTTP status ${error.http} is not within 400..599`);
    }
  }
}
