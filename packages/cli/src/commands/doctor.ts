import { statfs } from "node:fs/promises";
import {
  attemptsMax,
  auditRecordsMax,
  capacityWarnPercent,
  clockBackstepMsMax,
} from "@connectors/domain";
import { readConnectionFacts, readNodeEnvironment } from "@connectors/kubernetes-client/node";
import { openStateHost, type OpenedHost } from "../composition/open-host.js";
import { exitCodes } from "../exit-code.js";
import { fault, fine, printFindings, warning, type Finding } from "../output/findings.js";
import type { CommonFlags } from "../program/flags.js";
import { locateState } from "../state/state-directory.js";
import { listCustodyKids } from "../state/file-custody.js";
import type { World } from "../world/world.js";
import { listFileFindings } from "./adapter-findings.js";

// The superblock magics of file systems whose locks cannot be trusted between machines.
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff53_4d42, "CIFS"],
  [0xfe53_4d42, "SMB2"],
  [0x0102_1997, "9P"],
  [0x0bd0_0bd0, "Lustre"],
  [0x00c3_6400, "Ceph"],
  [0x6573_5546, "FUSE"],
]);

const freeBytesMin = 64 * 1024 * 1024;

async function findDisk(directory: string): Promise<readonly Finding[]> {
  try {
    const seen = await statfs(directory);
    const network = networkFileSystems.get(seen.type);
    const freeBytes = seen.bavail * seen.bsize;
    const megabytes = Math.floor(freeBytes / (1024 * 1024));
    return [
      network === undefined
        ? fine("file system", "local")
        : fault(
            "file system",
            `${network} is a network file system`,
            "Keep state on a local disk: locks do not hold there.",
          ),
      freeBytes < freeBytesMin
        ? warning("disk", `${megabytes} MiB free`, "Make room: a full disk refuses new writes.")
        : fine("disk", `${megabytes} MiB free`),
    ];
  } catch {
    return [];
  }
}

function fullness(name: string, count: number, most: number): Finding {
  const percent = Math.floor((count * 100) / most);
  return percent >= capacityWarnPercent
    ? warning(
        name,
        `${count} of ${most}`,
        "Start a new state directory, or archive this one: a full store refuses new writes.",
      )
    : fine(name, `${count} of ${most}`);
}

async function findStore(world: World, opened: OpenedHost): Promise<readonly Finding[]> {
  const health = await opened.host.health();
  if (!health.ok) return [fault("store", health.failure.message, health.failure.hint)];
  const { attempts, unsettled, audit_records, floor_ms, poisoned, engine } = health.value;
  const behindMs = floor_ms - world.ambient.clock.nowMs();
  const report = await opened.host.recover();
  const undecided = report.ok ? report.value.undecided : [];
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
    undecided.length === 0
      ? fine("owners", "none is undecided")
      : warning(
          "owners",
          `the lock files of ${undecided.join(", ")} are gone`,
          "Nothing proves that these processes are dead: make sure, then annotate their attempts.",
        ),
  ];
}

async function findAdapters(world: World, opened: OpenedHost): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const { name, connection } of opened.adapters) {
    const facts = await readConnectionFacts({
      source: connection,
      environment: readNodeEnvironment(),
    });
    if (!facts.ok) found.push(fault(`adapter ${name}`, facts.failure.message, facts.failure.hint));
    else {
      const listed = listFileFindings(facts.value, world.ambient.clock.nowMs());
      found.push(
        ...listed.map((finding) => ({ ...finding, name: `adapter ${name}: ${finding.name}` })),
      );
    }
  }
  return found;
}

async function findSeparation(opened: OpenedHost): Promise<Finding> {
  const held = await listCustodyKids(opened.directory);
  return held.length > 0
    ? warning(
        "separation",
        "attended: this user holds the credential, the ledger and an approver's key",
        "It stops mistakes, not a program of this user; see docs/security.md.",
      )
    : fine("separation", "no approver's private key lies in this state directory");
}

/** Looks at the machine, the store, the clock, permissions and adapters. */
export async function runDoctor(world: World, flags: CommonFlags): Promise<number> {
  const findings: Finding[] = [fine("node", process.versions.node)];
  const opened = await openStateHost(world, flags, { only: null });
  if (!opened.ok) {
    findings.push(fault("state", opened.failure.message, opened.failure.hint));
  } else {
    const { host, journal, connections } = opened.value;
    findings.push(fine("state", `${locateState(world, flags.state)}, this user's alone`));
    findings.push(...(await findDisk(opened.value.directory)));
    findings.push(...(await findStore(world, opened.value)));
    findings.push(...(await findAdapters(world, opened.value)));
    findings.push(await findSeparation(opened.value));
    await host.close();
    await journal.close();
    for (const connection of connections.values()) await connection[Symbol.asyncDispose]();
  }
  return printFindings(world, findings, flags.output) ? exitCodes.ok : exitCodes.nothingDone;
}
