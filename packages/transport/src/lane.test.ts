import { describe, expect, test } from "vitest";
import { readConnectionsMax, readRequestsMax } from "@connectors/domain";
import { makeManualAmbient } from "@connectors/sdk/testing";
import { parseBaseUrl } from "./base-url.js";
import { makeLanes, type Lane, type Seat } from "./lane.js";
import { given } from "./testing/test-scope.js";

function openLane(): Lane {
  return makeLanes({
    base: given(parseBaseUrl("https://127.0.0.1:1/", { allowPlaintext: false })),
    tls: undefined,
    proxy: undefined,
    proxyTls: undefined,
    connectMs: 1000,
    timers: makeManualAmbient().timers,
  }).reads;
}

/** Takes `count` places; the seats that were given, and what gives each place up. */
function take(lane: Lane, count: number): { seats: Seat[]; giveUp: ((() => void) | undefined)[] } {
  const seats: Seat[] = [];
  const giveUp = Array.from({ length: count }, () => lane.take((seat) => seats.push(seat)));
  return { seats, giveUp };
}

describe("a lane", () => {
  test("gives each request a connection of its own, up to its bound, and then lets wait", () => {
    const lane = openLane();
    const { seats } = take(lane, readConnectionsMax + 1);
    expect(new Set(seats.map((seat) => seat.dispatcher)).size).toBe(readConnectionsMax);
    expect(seats).toHaveLength(readConnectionsMax);
    seats[0]?.release("sound");
    expect(seats).toHaveLength(readConnectionsMax + 1);
    expect(seats.at(-1)?.dispatcher).toBe(seats[0]?.dispatcher);
  });

  test("takes its bound of requests, and one more when one of them gives up its place", () => {
    const lane = openLane();
    const { giveUp } = take(lane, readRequestsMax);
    expect(giveUp.every((stop) => stop !== undefined)).toBe(true);
    expect(take(lane, 1).giveUp).toEqual([undefined]);
    giveUp.at(-1)?.();
    expect(take(lane, 2).giveUp.map((stop) => stop !== undefined)).toEqual([true, false]);
  });

  test("uses the connection again that was given back last, and none that was spoilt", () => {
    const lane = openLane();
    const [first, second, third] = take(lane, 3).seats;
    first?.release("sound");
    second?.release("sound");
    third?.release("spoilt");
    const again = take(lane, 3).seats.map((seat) => seat.dispatcher);
    expect(again.slice(0, 2)).toEqual([second?.dispatcher, first?.dispatcher]);
    expect(again[2]).not.toBe(third?.dispatcher);
  });

  test("takes a connection back once", () => {
    const lane = openLane();
    const [seat] = take(lane, 1).seats;
    seat?.release("sound");
    seat?.release("sound");
    const again = take(lane, 2).seats;
    expect(again[0]?.dispatcher).not.toBe(again[1]?.dispatcher);
  });
});
