import type { ExecHandshakeFault, ExecStreamFault } from "./exec-fault.js";
import type {
  Fault,
  FaultDecision,
  FaultMatch,
  FaultMoment,
  FaultRule,
  RequestFacts,
} from "./fault.js";
import { matchesPattern } from "./pattern.js";

/** What is wrong with one exec: how its switch breaks, and what happens to its stream. */
export interface ExecFaults {
  readonly handshake: ExecHandshakeFault | undefined;
  readonly stream: readonly ExecStreamFault[];
}

/**
 * Decides which requests go wrong. Every rule counts the requests that it matches, on its own; of
 * the rules that strike one request the first in order decides.
 */
export interface FaultEngine {
  /** What happens to a request before it is handled. */
  readonly before: (facts: RequestFacts) => FaultDecision;
  /** What happens to a request that was handled and whose answer is ready. */
  readonly after: (facts: RequestFacts) => FaultDecision;
  /** What happens to an exec that every check has let through. */
  readonly exec: (facts: RequestFacts) => ExecFaults;
  /** How often each rule has struck, in the order of the rules. */
  readonly strikes: () => readonly number[];
}

type Site = FaultMoment | "exec";

interface Counted {
  readonly rule: FaultRule;
  readonly site: Site;
  seen: number;
  struck: number;
}

const NONE: FaultDecision = { kind: "none" };

/** An engine over `rules`; without any, nothing ever goes wrong. */
export function makeFaultEngine(rules: readonly FaultRule[] = []): FaultEngine {
  const counted: readonly Counted[] = rules.map((rule) => ({
    rule,
    site: siteOf(rule.fault),
    seen: 0,
    struck: 0,
  }));

  const strikeAll = (site: Site, facts: RequestFacts): readonly Fault[] => {
    const faults: Fault[] = [];
    for (const entry of counted) {
      if (entry.site !== site || !matches(entry.rule.match, facts)) continue;
      entry.seen += 1;
      if (!isActive(entry)) continue;
      // Only the first rule that strikes an ordinary request is used, so only it is counted.
      if (site !== "exec" && faults.length > 0) continue;
      entry.struck += 1;
      faults.push(entry.rule.fault);
    }
    return faults;
  };

  const decide = (site: FaultMoment, facts: RequestFacts): FaultDecision => {
    const fault = strikeAll(site, facts)[0];
    return fault === undefined ? NONE : decisionOf(fault);
  };

  return {
    before: (facts) => decide("before_commit", facts),
    after: (facts) => decide("after_commit", facts),
    exec: (facts) => {
      const faults = strikeAll("exec", facts);
      return {
        handshake: faults.find((fault) => fault.kind === "exec_handshake"),
        stream: faults.filter((fault) => fault.kind === "exec_stream"),
      };
    },
    strikes: () => counted.map((entry) => entry.struck),
  };
}

function siteOf(fault: Fault): Site {
  switch (fault.kind) {
    case "exec_handshake":
    case "exec_stream":
      return "exec";
    case "delay":
    case "reset":
    case "half_open":
      return fault.at ?? "before_commit";
    case "drop_after_commit":
    case "answer_after_commit":
      return "after_commit";
    case "drop_before_commit":
    case "duplicate":
    case "answer":
      return "before_commit";
  }
}

function decisionOf(fault: Fault): FaultDecision {
  switch (fault.kind) {
    case "delay":
      return { kind: "delay", ms: fault.ms };
    case "answer":
    case "answer_after_commit":
      return { kind: fault.kind, answer: fault.answer };
    case "exec_handshake":
    case "exec_stream":
      return NONE;
    case "reset":
    case "half_open":
    case "drop_before_commit":
    case "drop_after_commit":
    case "duplicate":
      return { kind: fault.kind };
  }
}

function isActive(entry: Counted): boolean {
  const { nth = 1, times = 1 } = entry.rule.match;
  return entry.seen >= nth && (times === "always" || entry.seen < nth + times);
}

function matches(match: FaultMatch, facts: RequestFacts): boolean {
  if (match.method !== undefined && match.method !== facts.method) return false;
  if (match.user !== undefined && match.user !== facts.user) return false;
  if (match.pathPattern !== undefined && !matchesTarget(match.pathPattern, facts.target)) {
    return false;
  }
  return match.command === undefined || equalArgv(match.command, facts.command);
}

function matchesTarget(pattern: string, target: string): boolean {
  if (pattern.includes("?")) return matchesPattern(pattern, target);
  const query = target.indexOf("?");
  return matchesPattern(pattern, query < 0 ? target : target.slice(0, query));
}

function equalArgv(wanted: readonly string[], given: readonly string[] | undefined): boolean {
  return (
    given !== undefined &&
    wanted.length === given.length &&
    wanted.every((element, index) => element === given[index])
  );
}
