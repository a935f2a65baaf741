// 1. A guarded restart, in one process
//
// The whole path with nothing but packages: a simulated cluster, the Kubernetes adapter, a ledger
// in memory, an approver with a key. Swap the ledger for @connectors/store-sqlite and the
// kubeconfig for yours, and it is a host.
import {
  operationDeclarations,
  parseKubernetesConfiguration,
  parseName,
  type Parsed,
} from "@connectors/domain";
import { makeKubernetesAdapter } from "@connectors/kubernetes";
import { openConnection } from "@connectors/kubernetes-client/node";
import { defaultSeed, openSimulator } from "@connectors/kubernetes-simulator";
import {
  encodePrivateKeyFile,
  journalLimits,
  makeKeyApprover,
  makeMemoryLedger,
  makeSigningKey,
  openHost,
  openMemoryJournal,
  openPrivateKey,
  parsePrivateKeyBytes,
} from "@connectors/runtime";
import { encodeCanonical, type Outcome } from "@connectors/sdk";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeAmbient } from "./ambient.js";
import { inTemporaryFolder } from "./temporary-folder.js";

function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

function fits<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

/** What the example found out. */
export interface GuardedRestart {
  readonly classification: string;
  readonly generations: readonly [before: number, after: number];
  readonly auditRecords: number;
}

/** Restarts one Deployment of a simulated cluster, once, with an approval. */
export async function guardedRestart(): Promise<GuardedRestart> {
  return inTemporaryFolder(async (folder) => {
    const ambient = makeAmbient();
    const { signal } = new AbortController();
    await using simulator = await openSimulator({ seed: defaultSeed() });
    const kubeconfig = join(folder, "cluster.yaml");
    await writeFile(kubeconfig, simulator.kubeconfig(), { mode: 0o600 });

    // The connection: whom we reach, and as whom.
    const source = { kind: "kubeconfig", kubeconfig, context: null } as const;
    await using connection = openConnection({ source, ambient });
    const description = must(await connection.describe());
    const captured = must(await connection.capture({ signal }));
    const { username } = captured;
    await captured[Symbol.asyncDispose]();

    // The adapter: what may be done there at all.
    const name = fits(parseName("prod"));
    const configuration = fits(
      parseKubernetesConfiguration({
        namespaces: ["web"],
        operations: ["deployment.rollout_restart"],
        exec_subprotocols: ["v4"],
        intermediary: "none",
      }),
    );
    const adapter = makeKubernetesAdapter({ instance: name, configuration, clock: ambient.clock });
    const probed = {
      provider: { ...description, username },
      at_ms: ambient.clock.nowMs(),
    };

    // The host: ledger, policy, approvers.
    const ledger = makeMemoryLedger();
    const { journal, locks } = openMemoryJournal({ ledger, limits: journalLimits });
    const host = must(
      await openHost({
        journal,
        locks,
        adapters: [{ name, adapter, connection, probed }],
        ambient,
        audience: "connectors.host/3f0a9c5e-6a52-4a43-9d1c-5b8f3f0e7a11",
        caller: "os:ada",
        separationOf: () => Promise.resolve("none"),
        pid: 1,
      }),
    );
    const key = makeSigningKey(ambient.random);
    const ada = fits(parseName("ada"));
    must(
      await host.approvers.add({
        name: ada,
        publicKey: key.publicKey,
        operations: ["deployment.rollout_restart"],
        adapters: ["prod"],
      }),
    );
    const rule = {
      callers: ["os:ada"],
      adapters: ["prod"],
      operation: "deployment.rollout_restart",
      namespaces: ["web"],
      names: ["api"],
      approvers: ["ada"],
      self_approval: "allowed",
    };
    const policy = { format: "connectors.policy/1", id: "local", rules: [rule] };
    must(await host.policy.set(new TextEncoder().encode(encodeCanonical(policy))));

    // The read that gives exact coordinates, and the write that is frozen at them.
    const target = { namespace: "web", name: "api" };
    const read = { adapter: "prod", operation: "deployments.get", input: target, signal };
    const before = must(await host.read(read));
    const frozen = must(
      await host.freezeWrite({
        adapter: "prod",
        operation: "deployment.rollout_restart",
        input: {
          ...target,
          uid: before["uid"] ?? "",
          resource_version: before["resource_version"] ?? "",
        },
        key: "restart-of-monday",
      }),
    );

    // The approver sees the bytes, and signs them.
    const file = encodePrivateKeyFile(key, {
      approver: ada,
      createdAtMs: ambient.clock.nowMs(),
      passphrase: null,
    });
    const approver = makeKeyApprover({
      key: must(openPrivateKey(must(parsePrivateKeyBytes(file)), null)),
      view: {
        declarations: operationDeclarations,
        clusters: [{ name: "prod", ...description }],
      },
      ambient,
      acceptUnknownCluster: false,
      confirm: (lines) => Promise.resolve(lines.some((line) => line.includes('"api"'))),
    });
    const proof = must(await approver.approve({ file: frozen.preparedBytes }, { signal }));

    // One commit: everything from the audit anchor to the answer.
    const answer = await frozen.commit({ proof, signal });
    const after = must(await host.read(read));
    const verdict = must(await host.audit.verify());
    await host.close();
    await journal.close();
    return {
      classification: answer.classification,
      generations: [Number(before["generation"]), Number(after["generation"])],
      auditRecords: verdict.kind === "whole" ? verdict.records : -1,
    };
  });
}
