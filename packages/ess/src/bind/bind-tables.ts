import type { ErrorIr, LifecycleIr, LimitIr, NoteIr, OwnerIr } from "../ir/ir.js";
import type { DomainShape } from "../shape/domain-shape.js";
import type { Named } from "../shape/decode.js";
import type { LifecycleShape, OwnerShape } from "../shape/table-shape.js";
import type { Scope } from "./scope.js";

/** The limits of a domain. */
export function bindLimits({ places }: Scope, shape: DomainShape): readonly LimitIr[] {
  return (shape.limits ?? []).map(({ name, value }) =>
    places.mark(
      {
        name: name.value,
        value: value.value.value,
        unit: value.unit.value,
        doc: value.doc.value,
      },
      name.span,
    ),
  );
}

/** The error codes of a domain. */
export function bindErrors({ places }: Scope, shape: DomainShape): readonly ErrorIr[] {
  return (shape.errors ?? []).map(({ name, value }) =>
    places.mark(
      {
        code: name.value,
        effect: value.effect.value,
        retry: value.retry.value,
        exit: Number(value.exit.value),
        http: Number(value.http.value),
        grpc: value.grpc.value,
        doc: value.doc.value,
        hint: value.hint.value,
      },
      name.span,
    ),
  );
}

/** The lifecycles of a domain; their graphs are checked later. */
export function bindLifecycles(scope: Scope, shape: DomainShape): readonly LifecycleIr[] {
  return (shape.lifecycles ?? []).map((lifecycle) => bindLifecycle(scope, lifecycle));
}

/** The caveats of a domain. */
export function bindNotes({ places }: Scope, shape: DomainShape): readonly NoteIr[] {
  return (shape.notes ?? []).map((note) =>
    places.mark(
      { kind: note.kind.value, text: note.text.value, owner: bindOwner(places, note.owner) },
      note.span,
    ),
  );
}

/** A pointer to prose. */
export function bindOwner(
  places: Scope["places"],
  shape: OwnerShape | undefined,
): OwnerIr | undefined {
  if (shape === undefined) return undefined;
  const owner = { file: shape.file.value, heading: shape.heading?.value };
  return places.mark(owner, (shape.heading ?? shape.file).span);
}

function bindLifecycle(
  { places, sink }: Scope,
  { name, value }: Named<LifecycleShape>,
): LifecycleIr {
  const names = new Set(value.states.map((state) => state.name.value));
  for (const transition of value.transitions) {
    for (const state of [...transition.value.from, transition.value.to]) {
      if (names.has(state.value)) continue;
      sink.report("ESS-LIFE-001", state.span, `'${state.value}' is not a state of ${name.value}`);
    }
  }
  const states = value.states.map((state) =>
    places.mark(
      {
        name: state.name.value,
        doc: state.value.doc?.value ?? "",
        terminal: state.value.terminal?.value ?? false,
      },
      state.name.span,
    ),
  );
  const transitions = value.transitions.map((transition) =>
    places.mark(
      {
        event: transition.name.value,
        from: transition.value.from.map((state) => state.value),
        to: transition.value.to.value,
        doc: transition.value.doc?.value ?? "",
      },
      transition.name.span,
    ),
  );
  const initials = value.states.filter((state) => state.value.initial?.value === true);
  const [initial] = initials;
  if (initials.length !== 1) {
    const message = `${name.value} has ${initials.length} initial states and needs exactly one`;
    sink.report("ESS-LIFE-002", name.span, message);
  }
  const first = initial?.name.value ?? "";
  const doc = value.doc.value;
  return places.mark({ name: name.value, doc, initial: first, states, transitions }, name.span);
}
