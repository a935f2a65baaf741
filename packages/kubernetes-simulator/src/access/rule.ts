/** What a user may do. A list that has "*" holds everything; an absent one is not looked at. */
export interface AccessRule {
  readonly verbs: readonly string[];
  /** API groups, "" for the core. */
  readonly groups?: readonly string[];
  /** Plurals, with a subresource after a slash: `pods`, `pods/exec`, `pods/*`, `*`. */
  readonly resources?: readonly string[];
  /** Without it the rule holds in every namespace and at the cluster scope. */
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  /** Paths that are no resources, a `*` at the end for a prefix; such a rule has no resources. */
  readonly paths?: readonly string[];
}

/** One thing that somebody wants to do to a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Whether a rule allows the access. */
export function allowsResource(rule: AccessRule, access: ResourceAccess): boolean {
  const { verb, group, namespace, name } = access;
  return (
    holds(rule.verbs, verb) &&
    holds(rule.groups ?? [], group) &&
    (rule.resources ?? []).some((resource) => matchesResource(resource, access)) &&
    (rule.namespaces === undefined || holds(rule.namespaces, namespace)) &&
    (rule.names === undefined || (name !== "" && rule.names.includes(name)))
  );
}

/** Whether a rule allows a verb on a path that is no resource. */
export function allowsPath(rule: AccessRule, verb: string, path: string): boolean {
  return (
    holds(rule.verbs, verb) &&
    (rule.paths ?? []).some((pattern) =>
      pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
    )
  );
}

function matchesResource(pattern: string, { resource, subresource }: ResourceAccess): boolean {
  if (pattern === "*") return true;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  if (pattern === full) return true;
  return subresource !== "" && (pattern === `*/${subresource}` || pattern === `${resource}/*`);
}

function holds(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}
