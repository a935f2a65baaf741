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
      "A name, `List<T>` or `Map<K, V>`; a whole member may be `Optional<T>` or `Nullable<T>`.",
  },
  "ESS-TYPE-004": {
    title: "the bound does not fit the type",
    explanation:
      "Numbers are bounded by value, texts by size and pattern, lists and maps by their items.",
  },
  "ESS-TYPE-005": {
    title: "a range that holds nothing",
    explanation: "The minimum is not above the maximum, and sizes are not negative.",
  },
  "ESS-TYPE-006": {
    title: "not a pattern",
    explanation:
      "A pattern is a regular expression of JavaScript with the u flag; an alphabet is not empty.",
  },
  "ESS-TYPE-007": {
    title: "a type without finite values",
    explanation:
      "What holds itself does so where it may be absent, in a list, or in a union with a way out.",
  },
  "ESS-TYPE-008": {
    title: "not a key of a map",
    explanation: "JSON's keys are texts: a String, a newtype of it, or an enum.",
  },
  "ESS-TYPE-009": {
    title: "unknown limit",
    explanation: "`limits.NAME` names a limit of this domain or of one that it uses.",
  },
  "ESS-TYPE-010": {
    title: "a type without values",
    explanation: "Enums have values and unions have variants.",
  },
  "ESS-TYPE-011": {
    title: "a member called like the tag",
    explanation: "The tag of a union is a member of every variant already.",
  },
  "ESS-TYPE-012": {
    title: "a default that does not fit",
    explanation:
      "A default is told for members that may be omitted, and is a value of the member's type.",
  },
  "ESS-RULE-001": {
    title: "not a rule",
    explanation:
      "Rules compare members and literals with `== != < <= > >=`, joined by `&&`, `||` and `!`.",
  },
  "ESS-RULE-002": {
    title: "a rule about a member that is not there",
    explanation: "Rules name members of their record, and members of structs inside it.",
  },
  "ESS-RULE-003": {
    title: "a comparison that makes no sense",
    explanation:
      "Both sides are of one kind; numbers and texts have an order; null is what may be absent.",
  },
  "ESS-ERR-001": {
    title: "advice that contradicts what is known",
    explanation: "After an unknown effect the same call is never safe to make again.",
  },
  "ESS-ERR-002": {
    title: "a number that is no such code",
    explanation: "Exit codes are 1..255 and HTTP statuses of failures 400..599.",
  },
  "ESS-LIFE-001": {
    title: "unknown state",
    explanation: "A transition leads from and to states of its own lifecycle.",
  },
  "ESS-LIFE-002": {
    title: "not exactly one initial state",
    explanation: "Everything begins in one known state.",
  },
  "ESS-LIFE-003": {
    title: "a state that nothing reaches",
    explanation: "Every state is reached from the initial one.",
  },
  "ESS-LIFE-004": {
    title: "an end that goes on",
    explanation: "No transition leads out of a terminal state.",
  },
  "ESS-LIFE-005": {
    title: "a dead end that does not say so",
    explanation: "A state without a way out is marked terminal.",
  },
  "ESS-OPER-001": {
    title: "input or output is not a named struct",
    explanation: "An operation's input and output are structs of the model.",
  },
  "ESS-OPER-002": {
    title: "a declaration that does not fit its model",
    explanation: "Every operation is a value of the struct OperationDeclaration.",
  },
  "ESS-OPER-003": {
    title: "effects and profile disagree",
    explanation:
      "An operation with external_write has the profile mutation, and the other way round.",
  },
  "ESS-OPER-004": {
    title: "an example that does not fit",
    explanation: "The example is a valid input.",
  },
  "ESS-OPER-005": {
    title: "bounds that do not nest",
    explanation: "Connecting is part of the provider's time, and that is part of the whole.",
  },
  "ESS-OPER-006": {
    title: "retention and kind disagree",
    explanation: "Only keyed operations keep a result, and they say for how long.",
  },
  "ESS-OPER-007": {
    title: "an example gives a secret away",
    explanation: "Examples are printed; they leave out what the model calls sensitive.",
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
  "ESS-DEC-008": {
    title: "a row that never answers",
    explanation: "Earlier rows take all of its cases: move it up, or take it out.",
  },
  "ESS-DEC-009": {
    title: "the same row twice",
    explanation: "Two rows ask for the same facts, so the second never answers.",
  },
  "ESS-DEC-010": {
    title: "too many cases to look at",
    explanation:
      "The product of the facts is looked at whole; leave out a fact, or cut it more coarsely.",
  },
  "ESS-DEC-011": {
    title: "a row without evidence",
    explanation: "Rows of the kinds under `proof` name the test that proves them.",
  },
  "ESS-DEC-012": {
    title: "a fact with no values, or one twice",
    explanation: "The values of a fact, its classes and its rest are different words.",
  },
  "ESS-DEC-013": {
    title: "a class that nothing falls into",
    explanation: "Classes are tried in order, and earlier ones hold all of its values.",
  },
  "ESS-DEC-014": {
    title: "a default with conditions",
    explanation: "The default answers whatever no row does, so it names no facts.",
  },
  "ESS-OWNER-001": {
    title: "the owning page is not there",
    explanation: "`owner.file` is a Markdown file below the root.",
  },
  "ESS-OWNER-002": {
    title: "the owning heading is not there",
    explanation: "`owner.heading` is a heading of the page, without its number.",
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
