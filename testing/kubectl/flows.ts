/** One command line of kubectl, and what it must answer on the simulated cluster. */
export interface Flow {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly code: number;
  readonly stdout: RegExp;
  /** Ended once its output matches, since it would go on. */
  readonly endless?: true;
}

const labels = { app: "extra" };

function manifest(image: string): string {
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "extra" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image }] } },
    },
  });
}

const apply = ["apply", "-f", "-"];

/** In their order: later ones see what earlier ones did. */
export const flows: readonly Flow[] = [
  { name: "get a list", args: ["get", "deploy"], code: 0, stdout: /api +3\/3 +3 +3/ },
  { name: "get one", args: ["get", "deploy", "api"], code: 0, stdout: /api +3\/3/ },
  {
    name: "get as JSON",
    args: ["get", "deploy", "api", "-o", "json"],
    code: 0,
    stdout: /"restartPolicy"|"kind": "Deployment"/,
  },
  {
    name: "get and watch",
    args: ["get", "pods", "-w"],
    code: 0,
    stdout: /(api-.*Running[\s\S]*){3}/,
    endless: true,
  },
  {
    name: "rollout restart",
    args: ["rollout", "restart", "deploy/api"],
    code: 0,
    stdout: /api restarted/,
  },
  {
    name: "rollout status",
    args: ["rollout", "status", "deploy/api", "--timeout=60s"],
    code: 0,
    stdout: /successfully rolled out/,
  },
  {
    name: "exec by Deployment",
    args: ["exec", "deploy/api", "--", "echo", "hello"],
    code: 0,
    stdout: /^hello\n$/,
  },
  {
    name: "exec that fails",
    args: ["exec", "deploy/api", "--", "sh", "-c", "echo out; exit 3"],
    code: 3,
    stdout: /^out\n$/,
  },
  {
    name: "exec with stdin",
    args: ["exec", "-i", "deploy/api", "--", "cat"],
    stdin: "fed\n",
    code: 0,
    stdout: /^fed\n$/,
  },
  { name: "apply, new", args: apply, stdin: manifest("x/y:1"), code: 0, stdout: /extra created/ },
  {
    name: "apply, unchanged",
    args: apply,
    stdin: manifest("x/y:1"),
    code: 0,
    stdout: /extra unchanged/,
  },
  {
    name: "apply, changed",
    args: apply,
    stdin: manifest("x/y:2"),
    code: 0,
    stdout: /extra configured/,
  },
  {
    name: "patch, strategic",
    args: ["patch", "deploy", "extra", "-p", '{"spec":{"replicas":2}}'],
    code: 0,
    stdout: /extra patched\n/,
  },
  {
    name: "patch, merge",
    args: ["patch", "deploy", "extra", "--type=merge", "-p", '{"spec":{"replicas":3}}'],
    code: 0,
    stdout: /extra patched\n/,
  },
  {
    name: "patch, JSON",
    args: [
      "patch",
      "deploy",
      "extra",
      "--type=json",
      "-p",
      '[{"op":"replace","path":"/spec/replicas","value":1}]',
    ],
    code: 0,
    stdout: /extra patched\n/,
  },
  {
    name: "patch, nothing",
    args: ["patch", "deploy", "extra", "-p", '{"spec":{"replicas":1}}'],
    code: 0,
    stdout: /no change/,
  },
  { name: "delete", args: ["delete", "deploy", "extra"], code: 0, stdout: /"extra" deleted/ },
  { name: "get what is not there", args: ["get", "deploy", "extra"], code: 1, stdout: /^$/ },
];
