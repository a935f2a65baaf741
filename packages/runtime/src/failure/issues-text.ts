import type { Issue } from "@connectors/domain";

const issuesShown = 3;

/** The first few reasons why a value was refused, in one line that holds nothing of the value. */
export function describeIssues(issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, issuesShown)
    .map((issue) => `${issue.path || "/"} ${issue.message}`);
  const more = issues.length - shown.length;
  return shown.join("; ") + (more > 0 ? `; and ${more} more` : "");
}
