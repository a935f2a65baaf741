/** The names of types. */
export const typeName: RegExp = /^[A-Z][A-Za-z0-9]*$/;

/** The names of members, limits, decisions, facts and rows. */
export const memberName: RegExp = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** The members that foreign protocols spell their own way: also camelCase and kebab-case. */
export const foreignName: RegExp = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** The values of enums, states and events. */
export const tokenName: RegExp = /^[A-Za-z0-9][A-Za-z0-9_./:-]*$/;

/** The names of domains. */
export const domainName: RegExp = /^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*$/;

/** The ids of operations. */
export const operationName: RegExp = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;
