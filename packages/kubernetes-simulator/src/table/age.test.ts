import { expect, it } from "vitest";

import { describeAge } from "./age.js";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [-3 * second, "<invalid>"],
  [-1, "0s"],
  [65 * second, "65s"],
  [120 * second, "2m"],
  [153 * second, "2m33s"],
  [10 * minute, "10m"],
  [179 * minute, "179m"],
  [3 * hour, "3h"],
  [3 * hour + 5 * minute, "3h5m"],
  [47 * hour, "47h"],
  [2 * day + hour, "2d1h"],
  [8 * day, "8d"],
  [729 * day, "729d"],
  [3 * 365 * day + 5 * day, "3y5d"],
  [9 * 365 * day, "9y"],
])("%i ms is %s", (ms, text) => {
  expect(describeAge(ms)).toBe(text);
});
