/** What a code means, for `ess explain` and for the reference page. */
export interface CodeDescription {
  readonly title: string;
  readonly explanation: string;
}

const descriptions = {
  "ESS-READ-001": {
    title: "a model file cannot be read",
    explanation: "The roster names a file that is missing, is not a plain file or is not UTF-8.",
  },
  "ESS-READ-002": {
    title: "a model file is not in the roster",
    explanation: "Every YAML file below `ess/` is listed under `domains` of `system.yaml`.",
  },
  "ESS-READ-003": {
    title: "a file holds characters that models do not use",
    explanation: "Models are UTF-8 without a byte order mark, with LF line ends and without tabs.",
  },
  "ESS-CST-001": {
    title: "not well-formed YAML",
    explanation: "The YAML parser refuses the text at this place.",
  },
  "ESS-CST-002": {
    title: "the same key twice",
    explanation: "A mapping names each of its keys once; the second would silently win.",
  },
  "ESS-CST-003": {
    title: "YAML that models do not use",
    explanation: "Anchors, aliases, merge keys, tags and several documents a file are refused.",
  },
  "ESS-SHAPE-001": {
    title: "unknown member",
    explanation: "Records of the language are closed: a member that is not listed is refused.",
  },
  "ESS-SHAPE-002": {
    title: "missing member",
    explanation: "The record needs this member.",
  },
  "ESS-SHAPE-003": {
    title: "another kind of value is needed here",
    explanation: "A mapping, a list, a text, an integer or a boolean stands where another belongs.",
  },
  "ESS-SHAPE-004": {
    title: "badly formed name",
    explanation:
      "Types are PascalCase, members and limits snake_case, operations dotted snake_case.",
  },
  "ESS-SHAPE-005": {
    title: "not one of the closed words",
    explanation: "The member takes one of a few words.",
  },
  "ESS-SHAPE-006": {
    title: "not exactly one kind",
    explanation: "A type is one of newtype, enum, struct and union; a fact is of one kind too.",
  },
  "ESS-NAME-001": {
    title: "the same name twice",
    explanation: "Two declarations, or the code generated for them, would have one name.",
  },
  "ESS-NAME-002": {
    title: "a name that generated code cannot use",
    explanation:
      "TypeScript, the support code or a built-in type already means something else by it.",
  },
  "ESS-USES-001": {
    title: "unknown domain",
    explanation: "`uses` names other domains of the same system, by their `domain:` names.",
  },
  "ESS-USES-002": {
    title: "domains use each other in a circle",
    explanation: "`uses` goes one way: a domain never uses one that, through others, uses it.",
  },
  "ESS-TYPE-001": {
    title: "unknown type",
    explanation: "The name is none of this domain, of the domains it uses, or built in.",
  },
  "ESS-TYPE-002": {
    title: "ambiguous type",
    explanation: "Several used domains declare the name; write `domain.Name`.",
  },
  "ESS-TYPE-003": {
    title: "not a type",
    explanation:
      "A type is a name, `List<T>` or `Map<K, V>`; a whole member may be `Optional<T>` or `Nullable<T>`.",
  },
  "ESS-TYPE-009": {
    title: "unknown limit",
    explanation: "`limits.NAME` names a limit of this domain or of one that it uses.",
  },
  "ESS-RULE-001": {
    title: "not a rule",
    explanation:
      "Rules compare members and literals with `== != < <= > >=`, joined by `&&`, `||` and `!`.",
  },
  "ESS-LIFE-001": {
    title: "unknown state",
    explanation: "A transition leads from and to states of its own lifecycle.",
  },
  "ESS-LIFE-002": {
    title: "not exactly one initial state",
    explanation: "Everything begins in one known state.",
  },
  "ESS-OPER-001": {
    title: "input or output is not a named struct",
    explanation: "An operation's input and output are structs of the model.",
  },
  "ESS-DEC-001": {
    title: "a fact that is not finite",
    explanation: "Facts are enums, booleans, or numbers and texts cut into named classes.",
  },
  "ESS-DEC-002": {
    title: "not a class of values",
    explanation: "A class of integers is an integer or a range `A..B`, or a list of those.",
  },
  "ESS-DEC-003": {
    title: "unknown shared rows",
    explanation:
      "`include` names a group under `rows_shared` of this domain or of one that it uses.",
  },
  "ESS-DEC-004": {
    title: "unknown fact",
    explanation: "A row's `when` names facts of its table.",
  },
  "ESS-DEC-005": {
    title: "not a value of the fact",
    explanation: "A cell holds one of the values that its fact may have.",
  },
  "ESS-DEC-006": {
    title: "the row does not answer what the outcome asks",
    explanation: "A row's `then` gives a kind of the outcome and its fields, each of its type.",
  },
  "ESS-DEC-007": {
    title: "unknown carried value",
    explanation: "`value.NAME` names one of the table's `values`.",
  },
} as const;

/** A stable code; it never changes its meaning and is never used again for another. */
export type DiagnosticCode = keyof typeof descriptions;

/** What every code means. */
export const diagnosticCatalogue: Readonly<Record<DiagnosticCode, CodeDescription>> = descriptions;

/** True when `text` is a code of the catalogue. */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(descriptions, text);
}
