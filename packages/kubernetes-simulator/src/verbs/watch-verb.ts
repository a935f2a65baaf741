import { simulatorBounds } from "../bounds.js";
import { encodeJson } from "../go-format.js";
import { answerStatus, type Answer, type StreamSink } from "../http/answer.js";
import type { JsonObject } from "../json-value.js";
import type { World } from "../objects/world.js";
import { expired, tooManyRequests } from "../refusals.js";
import {
  COMPACTED,
  isSameResource,
  type Revision,
  type RevisionType,
} from "../store/object-store.js";
import type { Selection } from "../store/selectors.js";
import type { StoredObject } from "../store/stored-object.js";
import { makeBookmark } from "./bookmark.js";
import { formObject } from "./answer-object.js";
import { parseListOptions, type ListOptions } from "./list-options.js";
import { selectionOf } from "./list-verb.js";
import type { ResourceRequest } from "./resource-request.js";

/** How many watches run. */
export interface WatchCount {
  current: number;
}

/** GET of a collection with `watch=true`. */
export function watchVerb(world: World, request: ResourceRequest, count: WatchCount): Answer {
  const options = parseListOptions(request.query, true);
  if (!options.ok) return answerStatus(options.status);
  const selection = selectionOf(request);
  if (!selection.ok) return answerStatus(selection.status);
  if (count.current >= simulatorBounds.watchersMax) {
    return answerStatus(tooManyRequests("watches"));
  }
  return {
    kind: "stream",
    open: (sink) => {
      count.current += 1;
      sink.onClose(() => {
        count.current -= 1;
      });
      runWatch({ world, request, options: options.value, selects: selection.value, sink });
    },
  };
}

interface Watch {
  readonly world: World;
  readonly request: ResourceRequest;
  readonly options: ListOptions;
  readonly selects: Selection;
  readonly sink: StreamSink;
}

function runWatch(watch: Watch): void {
  const { world, options, sink } = watch;
  const { store, surroundings } = world;
  const send = makeSender(watch);
  const missed = firstEvents(watch, send);
  if (missed === COMPACTED) {
    const why = `too old resource version: ${options.version ?? 0} (${store.version()})`;
    sink.write(eventLine("ERROR", { ...expired(why) }));
    sink.end();
    return;
  }

  let stopBookmarks = (): void => undefined;
  const unsubscribe = store.subscribe((revision) => {
    sendRevision(watch, send, revision);
  });
  const stopTimeout = surroundings.timers.after(
    options.timeoutMs ?? simulatorBounds.watchTimeoutMs,
    () => {
      // The last word of a watch that ran out: where to go on.
      if (options.allowBookmarks) send.bookmark({});
      sink.end();
    },
  );
  const remind = (): void => {
    stopBookmarks = surroundings.timers.after(simulatorBounds.bookmarkEveryMs, () => {
      send.bookmark({});
      remind();
    });
  };
  if (options.allowBookmarks) remind();
  sink.onClose(() => {
    unsubscribe();
    stopTimeout();
    stopBookmarks();
  });
}

interface Sender {
  readonly event: (type: RevisionType, object: StoredObject) => void;
  readonly bookmark: (annotations: JsonObject) => void;
}

function makeSender({ world, request, sink }: Watch): Sender {
  // A Table's columns come with the first event only.
  let isFirst = true;
  const write = (type: RevisionType | "BOOKMARK", object: StoredObject): void => {
    const formed = formObject(world, request, object, isFirst);
    isFirst = false;
    sink.write(eventLine(type, formed));
  };
  return {
    event: write,
    bookmark: (annotations) => {
      write("BOOKMARK", makeBookmark(request.kind, world.store.version(), annotations));
    },
  };
}

// What a watch starts with: the state, as ADDED, or the changes since the version asked for.
function firstEvents(watch: Watch, send: Sender): typeof COMPACTED | undefined {
  const { world, request, options, selects } = watch;
  const { store } = world;
  const fromState = options.sendInitialEvents ?? (options.version ?? 0) === 0;
  if (fromState) {
    for (const object of store.list(request.kind, request.namespace)) {
      if (selects(object)) send.event("ADDED", object);
    }
    if (options.sendInitialEvents === true && options.allowBookmarks) {
      send.bookmark({ "k8s.io/initial-events-end": "true" });
    }
    return undefined;
  }
  const changes = store.changesAfter(options.version ?? store.version());
  if (changes === COMPACTED) return COMPACTED;
  for (const revision of changes) sendRevision(watch, send, revision);
  return undefined;
}

function sendRevision(watch: Watch, send: Sender, revision: Revision): void {
  const { request, selects, options } = watch;
  const { key, object, previous } = revision;
  if (!isSameResource(key.resource, request.kind)) return;
  if (request.namespace !== "" && key.namespace !== request.namespace) return;
  // A watch from a version ahead of the store keeps silent until it is passed.
  if (revision.version <= (options.version ?? 0)) return;
  const before = previous !== undefined && selects(previous);
  const after = revision.type !== "DELETED" && selects(object);
  if (after) send.event(before ? "MODIFIED" : "ADDED", object);
  else if (before) send.event("DELETED", atVersion(previous, revision));
}

// What left the selection is shown as it was, at the version at which it left.
function atVersion(object: StoredObject, { version }: Revision): StoredObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

function eventLine(type: RevisionType | "BOOKMARK" | "ERROR", object: unknown): string {
  return `${encodeJson({ type, object })}\n`;
}
