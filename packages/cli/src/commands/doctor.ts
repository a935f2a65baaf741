import {
  attemptsMax,
  auditRecordsMax,
  clockBackstepMsMax,
  capacityWarnPercent,
} from "@connectors/domain";
import { readConnectionFacts, readNodeEnvironment } from "@connectors/kubernetes-client/node";
import { openStateHost, type OpenedHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { fault, fine, printFindings, warning, type Finding } from "../output/findings.js";
import type { CommonFlags } from "../program/flags.js";
import { listAdapterNames, readAdapterFile } from "../state/adapter-files.js";
import { listCustodyKids } from "../state/file-custody.js";
import { locateState } from "../state/state-directory.js";
import type { World } from "../world/world.js";
import { listFileFindings } from "./adapter-findings.js";
import { findDisk } from "./disk-findings.js";

function fullness(name: string, count: number, most: number): Finding {
  const percent = Math.floor((count * 100) / most);
  return percent >= capacityWarnPercent
    ? warning(
        name,
        `${count} of ${most}`,
        "Start a new state directory before it is full: a full store refuses new writes.",
      )
    : fine(name, `${count} of ${most}`);
}

async function findOwners({ host }: OpenedHost): Promise<Finding> {
  const report = await host.recover();
  if (!report.ok) return fault("owners", report.failure.message, report.failure.hint);
  const { undecided } = report.value;
  return undecided.length === 0
    ? fine("owners", "none is undecided")
    : warning(
        "owners",
        `the lock files of ${undecided.join(", ")} are gone`,
        "Nothing proves that these processes are dead: make sure, then annotate their attempts.",
      );
}

async function findStore(world: World, opened: OpenedHost): Promise<readonly Finding[]> {
  const health = await opened.host.health();
  if (!health.ok) return [fault("store", health.failure.message, health.failure.hint)];
  const { attempts, unsettled, audit_records, floor_ms, poisoned, engine } = health.value;
  const behindMs = floor_ms - world.ambient.clock.nowMs();
  return [
    poisoned
      ? fault(
          "store",
          "a commit's outcome is not known",
          "Run the command again: a fresh open recovers.",
        )
      : fine("store", engine),
    fullness("attempts", attempts, attemptsMax),
    fullness("audit records", audit_records, auditRecordsMax),
    fine("unsettled attempts", String(unsettled)),
    behindMs > clockBackstepMsMax
      ? fault(
          "clock",
          `${Math.ceil(behindMs / 1000)} s behind the ledger`,
          "Set the clock: new writes are refused until it has caught up.",
        )
      : fine("clock", "not behind the ledger"),
    await findOwners(opened),
  ];
}

async function findAdapter(
  world: World,
  directory: string,
  name: string,
): Promise<readonly Finding[]> {
  const file = await readAdapterFile(directory, name);
  if (!file.ok) return [fault(`adapter ${name}`, file.failure.message, file.failure.hint)];
  const environment = readNodeEnvironment();
  const facts = await readConnectionFacts({ source: file.value.connection, environment });
  return facts.ok
    ? listFileFindings(facts.value, world.ambient.clock.nowMs()).map((finding) => {
        return { ...finding, name: `adapter ${name}: ${finding.name}` };
      })
    : [fault(`adapter ${name}`, facts.failure.message, facts.failure.hint)];
}

async function findSeparation(directory: string): Promise<Finding> {
  const held = await listCustodyKids(directory);
  return held.length > 0
    ? warning(
        "separation",
        "attended: this user holds the credential, the ledger and an approver's key",
        "It stops mistakes, not a program of this user; see docs/security.md.",
      )
    : fine("separation", "no approver's private key lies in this state directory");
}

async function findState(world: World, opened: OpenedHost): Promise<readonly Finding[]> {
  const { directory } = opened;
  const found: Finding[] = [
    fine("state", `${directory}, this user's alone`),
    ...(await findDisk(directory)),
    ...(await findStore(world, opened)),
  ];
  for (const name of await listAdapterNames(directory)) {
    found.push(...(await findAdapter(world, directory, name)));
  }
  return [...found, await findSeparation(directory)];
}

/** Looks at the machine, the store, the clock, permissions and adapters; asks no cluster. */
export async function runDoctor(world: World, flags: CommonFlags): Promise<number> {
  const findings: Finding[] = [fine("node", process.versions.node)];
  // An adapter that is broken is a finding of its own, not a state that cannot be opened.
  const opened = await openStateHost(world, flags, "none");
  if (opened.ok) {
    findings.push(...(await findState(world, opened.value)));
    await opened.value.close();
  } else {
    const { message, hint } = opened.failure;
    findings.push(fault("state", `${locateState(world, flags.state)}: ${message}`, hint));
  }
  return printFindings(world, findings, flags.output) ? exitCodes.ok : exitCodes.nothingDone;
}
