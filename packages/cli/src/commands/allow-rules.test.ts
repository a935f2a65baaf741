import {
  parseAdapterFile,
  parseCaller,
  parseName,
  parsePolicyDocument,
  type AdapterFile,
  type Parsed,
  type PolicyDocument,
} from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { listAdapterChanges } from "./adapter-changes.js";
import { comparePolicies, withAllowRules } from "./allow-rules.js";

function must<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new Error(parsed.issues[0]?.message ?? "");
}

const parties = { caller: must(parseCaller("os:ada")), approver: must(parseName("ada")) };

function fileOf(configuration: object = {}): AdapterFile {
  return must(
    parseAdapterFile({
      format: "connectors.adapter/1",
      adapter: "kubernetes",
      name: "dev",
      connection: { kind: "kubeconfig", kubeconfig: "/k", context: "c" },
      configuration: {
        namespaces: ["web"],
        operations: ["deployment.rollout_restart", "pods.exec"],
        exec_subprotocols: ["v4"],
        intermediary: "none",
        ...configuration,
      },
      probed: {
        provider: {
          base_url: "https://127.0.0.1:6443/",
          tls_name: "127.0.0.1",
          trust_sha256: "system",
          username: "ada",
        },
        at_ms: 1,
      },
    }),
  );
}

function policyAfter(current: PolicyDocument | null, file: AdapterFile): PolicyDocument {
  const next = withAllowRules(current, file, parties);
  if (!next.ok) throw new Error(next.failure.message);
  return next.value;
}

describe("`adapters add --allow`", () => {
  test("makes a rule an operation, and the same again changes nothing", () => {
    const first = policyAfter(null, fileOf());
    expect(first.rules.map(({ operation }) => operation)).toEqual([
      "deployment.rollout_restart",
      "pods.exec",
    ]);
    expect(comparePolicies(null, first)?.added).toHaveLength(2);
    expect(comparePolicies(first, policyAfter(first, fileOf()))).toBeNull();
  });

  test("takes back what is not named any more, and widens what is", () => {
    const first = policyAfter(null, fileOf());
    const narrower = policyAfter(first, fileOf({ operations: ["pods.exec"] }));
    expect(comparePolicies(first, narrower)).toEqual({
      added: [],
      removed: ["os:ada deployment.rollout_restart of dev in web"],
    });
    const wider = policyAfter(first, fileOf({ namespaces: ["web", "batch"] }));
    expect(comparePolicies(first, wider)?.added).toEqual([
      "os:ada deployment.rollout_restart of dev in web, batch",
      "os:ada pods.exec of dev in web, batch",
    ]);
  });

  test("leaves rules that a person narrowed, and everybody else's", () => {
    const [restart, exec] = policyAfter(null, fileOf()).rules;
    const own = [
      { ...restart, names: ["api"] },
      { ...exec, commands: [{ exact: ["id"] }] },
      { ...restart, self_approval: "forbidden" },
      { ...restart, callers: ["os:bob"] },
      { ...restart, adapters: ["prod"] },
    ];
    const policy = must(
      parsePolicyDocument({ format: "connectors.policy/1", id: "ours", rules: own }),
    );
    const after = policyAfter(policy, fileOf({ operations: [] }));
    expect(after).toEqual(policy);
    expect(comparePolicies(policy, after)).toBeNull();
  });

  test("of nothing makes no policy where there is none", () => {
    expect(comparePolicies(null, policyAfter(null, fileOf({ operations: [] })))).toBeNull();
  });
});

test("replacing an adapter tells each member that becomes another one", () => {
  const after = fileOf({ namespaces: ["web", "batch"], intermediary: "may_resend" });
  expect(listAdapterChanges(fileOf(), after)).toEqual([
    'namespaces: ["web"] → ["web","batch"]',
    "intermediary: none → may_resend",
  ]);
  expect(listAdapterChanges(fileOf(), fileOf())).toEqual([]);
  const server = { kind: "server", server: "https://h:6443", ca_file: null, token_file: "/t" };
  const moved = must(parseAdapterFile({ ...fileOf(), connection: server }));
  expect(listAdapterChanges(fileOf(), moved)).toEqual([
    "connection: kubeconfig → server",
    "kubeconfig: /k → none",
    "context: c → none",
    "server: none → https://h:6443",
    "ca_file: none → null",
    "token_file: none → /t",
  ]);
});
