import { spawnSync } from "node:child_process";

/** A real cluster: its kubeconfig, and the kubectl to arrange and look with. */
export interface ClusterAccess {
  readonly kubeconfig: string;
  readonly kubectl: readonly string[];
}

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function runProgram(
  argv: readonly string[],
  options: {
    readonly input?: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  } = {},
): Ended {
  const [program = "", ...args] = argv;
  const done = spawnSync(program, args, {
    encoding: "utf8",
    input: options.input ?? "",
    env: { ...process.env, ...options.environment },
    timeout: options.timeoutMs ?? 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

/** Runs kubectl against the cluster; throws when it fails, since only arrangements use it. */
export function kubectl(access: ClusterAccess, args: readonly string[], input?: string): string {
  const done = runProgram([...access.kubectl, "--kubeconfig", access.kubeconfig, ...args], {
    ...(input === undefined ? {} : { input }),
    timeoutMs: 120_000,
  });
  if (done.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${done.stderr.trim()}`);
  return done.stdout.trim();
}

/** Waits until `look` answers true, looking ten times a second. */
export async function until(what: string, timeoutMs: number, look: () => boolean): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!look()) {
    if (Date.now() > end) throw new Error(`gave up after ${timeoutMs} ms: ${what}`);
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** A namespace with a Deployment `api` of one Pod, container `app`, of the image that is there. */
export function manifests(namespace: string, image: string): string {
  const labels = { app: "api" };
  const items = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "api", namespace },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 0,
            containers: [
              { name: "app", image, imagePullPolicy: "Never", command: ["sleep", "86400"] },
            ],
          },
        },
      },
    },
  ];
  return items.map((item) => JSON.stringify(item)).join("\n---\n");
}

/** A ServiceAccount that may read Deployments and what `verbs` name, and its kubeconfig as text. */
export function limitedUser(
  access: ClusterAccess,
  options: {
    readonly namespace: string;
    readonly name: string;
    readonly rules: readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }[];
  },
): string {
  const { namespace, name, rules } = options;
  const items = [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name, namespace },
      rules,
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name, namespace },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
  ];
  kubectl(access, ["apply", "-f", "-"], items.map((item) => JSON.stringify(item)).join("\n---\n"));
  const token = kubectl(access, ["-n", namespace, "create", "token", name]);
  const raw: unknown = JSON.parse(
    kubectl(access, ["config", "view", "--raw", "--flatten", "-o", "json"]),
  );
  const config = raw as { clusters: { name: string; cluster: unknown }[] };
  const [cluster] = config.clusters;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: cluster?.cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name: "c", context: { cluster: "c", user: name } }],
    "current-context": "c",
  });
}
