export { type CheckResult, type HeadingsOf, checkModel, emitAll } from "./build.js";
export type { RunStage } from "./compile.js";
export {
  type CodeDescription,
  type DiagnosticCode,
  diagnosticCatalogue,
} from "./diagnostics/catalogue.js";
export type { Diagnostic, RelatedPlace } from "./diagnostics/diagnostic.js";
export { renderJsonReport, renderTextReport } from "./diagnostics/render-report.js";
export type { Span } from "./diagnostics/span.js";
export {
  type EmitOptions,
  type EmittedFiles,
  type Emitter,
  generatedMark,
} from "./emit/emitter.js";
export { schemaOf } from "./emit/json-schema/schema-of.js";
export type {
  AnswerIr,
  DecisionIr,
  DecisionMatrixIr,
  FactIr,
  RowIr,
  SlotIr,
} from "./ir/decision-ir.js";
export type {
  DomainIr,
  ErrorIr,
  LifecycleIr,
  LimitIr,
  NoteIr,
  OperationIr,
  OwnerIr,
  SystemIr,
  TypeName,
} from "./ir/ir.js";
export type { ComparisonIr, RuleIr, RuleOperand, RuleOperator } from "./ir/rule-ir.js";
export type {
  BoundIr,
  BoundsIr,
  EnumIr,
  FieldIr,
  InvariantIr,
  NewtypeIr,
  Primitive,
  RangeIr,
  StructIr,
  TypeExpressionIr,
  TypeIr,
  UnionIr,
  VariantIr,
} from "./ir/type-ir.js";
export { type NamedEmitter, type Plan, ownFolders, planEmitters } from "./plan/plan.js";
export { readHeadings } from "./read/read-headings.js";
export { type SourceFile, readSources } from "./read/read-model.js";
