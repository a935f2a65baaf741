import { equalJson, isJsonObject, type JsonValue } from "../json-value.js";

/** How elements of a merged list are told apart: by a key, or by themselves when it is "". */
export function isSameElement(left: JsonValue, right: JsonValue, mergeKey: string): boolean {
  if (mergeKey === "") return equalJson(left, right);
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  return equalJson(left[mergeKey], right[mergeKey]);
}

/**
 * The elements of `merged` in the order that a strategic merge patch asks for: those that the patch
 * names in its order, those that only the server has in the server's, the two woven so that as much
 * as possible of the server's order stays.
 */
export function orderElements(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  const place = (order: readonly JsonValue[], element: JsonValue): number =>
    order.findIndex((other) => isSameElement(other, element, mergeKey));
  const named = merged
    .filter((element) => place(patchOrder, element) >= 0)
    .toSorted((left, right) => place(patchOrder, left) - place(patchOrder, right));
  const serverOnly = merged
    .filter((element) => place(patchOrder, element) < 0)
    .toSorted((left, right) => place(serverOrder, left) - place(serverOrder, right));
  return weave(serverOnly, named, (element) => place(serverOrder, element));
}

function weave(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  placeOf: (element: JsonValue) => number,
): readonly JsonValue[] {
  const woven: JsonValue[] = [];
  let at = 0;
  let other = 0;
  while (at < left.length || other < right.length) {
    const first = left[at];
    const second = right[other];
    if (
      second === undefined ||
      (first !== undefined && isBefore(placeOf(first), placeOf(second)))
    ) {
      if (first !== undefined) woven.push(first);
      at += 1;
    } else {
      woven.push(second);
      other += 1;
    }
  }
  return woven;
}

function isBefore(first: number, second: number): boolean {
  return first >= 0 && second >= 0 && first < second;
}
