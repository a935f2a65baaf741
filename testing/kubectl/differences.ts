/** One member of a request in which ours is another than kubectl's, and why. */
export interface Difference {
  readonly request: "restart" | "exec" | "both";
  readonly what: string;
  readonly kubectl: string;
  readonly ours: string;
  readonly why: string;
}

/** Every difference between what kubectl asks for the same intent and what we ask. */
export const differences: readonly Difference[] = [
  {
    request: "restart",
    what: "requests",
    kubectl: "GET, PATCH",
    ours: "POST, PATCH",
    why: "an access review instead of a read: whether it would be allowed is known before the gate",
  },
  {
    request: "restart",
    what: "fieldManager",
    kubectl: "kubectl-rollout",
    ours: "connectors",
    why: "the object's managed fields name who changed it",
  },
  {
    request: "restart",
    what: "guard",
    kubectl: "none",
    ours: "uid and resourceVersion",
    why: "the approved version or nothing",
  },
  {
    request: "restart",
    what: "marker",
    kubectl: "RFC 3339 seconds",
    ours: "epoch milliseconds",
    why: "two restarts within a second are two",
  },
  {
    request: "restart",
    what: "accept",
    kubectl: "application/json, */*",
    ours: "application/json",
    why: "nothing else would be read",
  },
  {
    request: "exec",
    what: "requests",
    kubectl: "GET, GET",
    ours: "GET",
    why: "the Pod and container are in what was approved; nothing is looked up",
  },
  {
    request: "exec",
    what: "subprotocol",
    kubectl: "v5.channel.k8s.io",
    ours: "v4.channel.k8s.io",
    why: "no invented Success",
  },
  {
    request: "exec",
    what: "query",
    kubectl: "command, container, stderr, stdout",
    ours: "container, command, stdin, stdout, stderr, tty",
    why: "every flag is said, in one fixed order",
  },
  {
    request: "both",
    what: "audit-id",
    kubectl: "none",
    ours: "the attempt's id",
    why: "an unknown can be looked up in the API server's audit log",
  },
];
