import { allowsPath, allowsResource, type AccessRule, type ResourceAccess } from "./rule.js";

/** Somebody who has been authenticated. */
export interface Identity {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Decides what identities may do, from the rules of the moment. */
export interface Authorizer {
  readonly allowsResource: (identity: Identity, access: ResourceAccess) => boolean;
  readonly allowsPath: (identity: Identity, verb: string, path: string) => boolean;
}

/** The group whose members may do everything. */
export const MASTERS = "system:masters";
/** The group of everybody who has been authenticated. */
export const AUTHENTICATED = "system:authenticated";
/** The group of everybody who has not. */
export const UNAUTHENTICATED = "system:unauthenticated";

const HEALTH_PATHS = ["/healthz", "/livez", "/readyz", "/version", "/version/"];

// What a cluster lets everybody do, and everybody whom it knows.
const PUBLIC_RULES: readonly AccessRule[] = [{ verbs: ["get"], paths: HEALTH_PATHS }];
const AUTHENTICATED_RULES: readonly AccessRule[] = [
  ...PUBLIC_RULES,
  { verbs: ["get"], paths: ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"] },
  {
    verbs: ["create"],
    groups: ["authentication.k8s.io"],
    resources: ["selfsubjectreviews"],
  },
  {
    verbs: ["create"],
    groups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  },
];

/** An authorizer over the rules that each name has now. */
export function makeAuthorizer(rulesOf: (name: string) => readonly AccessRule[]): Authorizer {
  const applicable = (identity: Identity): readonly AccessRule[] => [
    ...(identity.groups.includes(AUTHENTICATED) ? AUTHENTICATED_RULES : PUBLIC_RULES),
    ...rulesOf(identity.name),
  ];
  return {
    allowsResource: (identity, access) =>
      isMaster(identity) || applicable(identity).some((rule) => allowsResource(rule, access)),
    allowsPath: (identity, verb, path) =>
      isMaster(identity) || applicable(identity).some((rule) => allowsPath(rule, verb, path)),
  };
}

function isMaster(identity: Identity): boolean {
  return identity.groups.includes(MASTERS);
}
