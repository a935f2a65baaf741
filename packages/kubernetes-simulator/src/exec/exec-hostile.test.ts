import { afterEach, describe, expect, test } from "vitest";

import type { HandshakeBreak, StreamAct, StreamMoment } from "../faults/exec-fault.js";
import { channelText, openExecClient, type Seen } from "../testing/exec-client.js";
import { openExecRig, type ExecRig } from "../testing/exec-rig.js";

// Every shape that a client of exec has to tell from an honest one, each made by a script of faults.

let rig: ExecRig | undefined;

afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

async function openBroken(broken: HandshakeBreak): Promise<ExecRig> {
  rig = await openExecRig({
    rules: [{ match: {}, fault: { kind: "exec_handshake", break: broken } }],
  });
  return rig;
}

async function openSpoiled(when: StreamMoment, acts: readonly StreamAct[]): Promise<ExecRig> {
  rig = await openExecRig({ rules: [{ match: {}, fault: { kind: "exec_stream", when, acts } }] });
  return rig;
}

const STATUS_SENT: StreamMoment = { at: "after_status" };
const SWITCHED: StreamMoment = { at: "switch" };
const SUCCESS = '{"metadata":{},"status":"Success"}';

function shapesOf(seen: Seen): readonly string[] {
  return seen.messages.map((message) => `${message[0]}:${message.length}`);
}

describe("a switch that does not verify", () => {
  test.each<readonly [HandshakeBreak, RegExp]>([
    ["accept_wrong", /Sec-WebSocket-Accept/u],
    ["accept_missing", /Sec-WebSocket-Accept/u],
    ["subprotocol_missing", /no subprotocol/u],
    ["subprotocol_unoffered", /invalid subprotocol/u],
    ["subprotocol_doubled", /invalid subprotocol/u],
  ])("%s is refused by a client that looks", async (broken, complaint) => {
    const server = await openBroken(broken);
    const seen = await openExecClient(server, { command: ["true"] }).ended();
    expect(seen.error).toMatch(complaint);
    expect(seen.messages).toEqual([]);
  });

  test("upgrade_missing is an ordinary answer to a client that does not look", async () => {
    const server = await openBroken("upgrade_missing");
    const client = openExecClient(server, { command: ["true"] });
    const seen = await client.until(({ answered, error }) => (answered ?? error) !== undefined);
    expect(seen.answered?.status ?? seen.error).toBeDefined();
    client.socket.terminate();
  });

  test("cut ends the connection in order, reset does not", async () => {
    const cut = await openExecClient(await openBroken("cut"), { command: ["true"] }).ended();
    expect(cut.error).toMatch(/socket hang up/u);
    await rig?.close();
    const reset = await openExecClient(await openBroken("reset"), { command: ["true"] }).ended();
    expect(reset.error).toMatch(/ECONNRESET/u);
  });

  test("no_answer keeps the connection and says nothing", async () => {
    const server = await openBroken("no_answer");
    const client = openExecClient(server, { command: ["true"] });
    // The next exec is answered, so this one would have been.
    await openExecClient(server, { command: ["true"] }).ended();
    expect(client.socket.readyState).toBe(client.socket.CONNECTING);
    expect(server.records).toEqual([
      { status: 0, body: "" },
      { status: 101, body: "" },
    ]);
    client.socket.terminate();
  });
});

describe("a stream that no server writes", () => {
  test.each<readonly [string, StreamAct, string]>([
    ["stdin's channel", { act: "message", channel: 0, data: Buffer.from("x") }, "0:2"],
    ["the resize channel", { act: "message", channel: 4, data: Buffer.from("x") }, "4:2"],
    [
      "a channel that there is not",
      { act: "message", channel: 200, data: Buffer.from("x") },
      "200:2",
    ],
    ["a message without a byte", { act: "empty_message" }, "undefined:0"],
    ["a status past any bound", { act: "flood", channel: 3, bytes: 65_537, times: 1 }, "3:65538"],
    [
      "a message past any bound",
      { act: "flood", channel: 1, bytes: 1_048_576, times: 1 },
      "1:1048577",
    ],
  ])("%s", async (_name, act, shape) => {
    const before = await openSpoiled(SWITCHED, [act]);
    const early = await openExecClient(before, { command: ["true"] }).ended();
    expect(shapesOf(early)).toEqual(["1:1", shape, `3:${SUCCESS.length + 1}`]);
    await before.close();
    const after = await openSpoiled(STATUS_SENT, [act]);
    const late = await openExecClient(after, { command: ["true"] }).ended();
    expect(shapesOf(late)).toEqual(["1:1", `3:${SUCCESS.length + 1}`, shape]);
    expect(late.closeCode).toBe(1000);
  });

  test("a text message", async () => {
    const server = await openSpoiled(SWITCHED, [{ act: "text_message", text: "1hello" }]);
    const seen = await openExecClient(server, { command: ["true"] }).ended();
    expect([seen.textCount, seen.messages[1]?.toString()]).toEqual([1, "1hello"]);
  });

  test.each<readonly [string, readonly number[], RegExp]>([
    ["reserved bits", [0xf2, 0x01, 0x01], /RSV/u],
    ["a reserved opcode", [0x83, 0x00], /opcode/u],
    ["a masked frame", [0x82, 0x81, 0, 0, 0, 0, 1], /MASK/u],
    ["a control frame in pieces", [0x09, 0x00], /FIN/u],
    ["a close code that nobody may send", [0x88, 0x02, 0x03, 0xed], /invalid status code/u],
  ])("bytes that are no frame: %s", async (_name, bytes, complaint) => {
    const server = await openSpoiled(SWITCHED, [{ act: "raw", data: Uint8Array.from(bytes) }]);
    const seen = await openExecClient(server, { command: ["sleep", "600"] }).ended();
    expect(seen.error).toMatch(complaint);
    expect(seen.closeCode).toBe(1006);
  });

  test("an error after a status that could be settled by", async () => {
    const server = await openSpoiled(STATUS_SENT, [
      { act: "raw", data: Uint8Array.of(0xff, 0xff) },
    ]);
    const seen = await openExecClient(server, { command: ["true"] }).ended();
    expect([channelText(seen, 3), seen.closeCode]).toEqual([SUCCESS, 1006]);
  });

  test("a cut, a reset or a close in place of the end after a status", async () => {
    const ends: readonly (readonly [StreamAct, number])[] = [
      [{ act: "cut" }, 1006],
      [{ act: "close", code: 1011 }, 1011],
    ];
    for (const [act, closeCode] of ends) {
      const server = await openSpoiled(STATUS_SENT, [act]);
      const seen = await openExecClient(server, { command: ["true"] }).ended();
      expect([channelText(seen, 3), seen.closeCode]).toEqual([SUCCESS, closeCode]);
      await server.close();
    }
    const server = await openSpoiled({ at: "messages", count: 1 }, [{ act: "reset" }]);
    const seen = await openExecClient(server, { command: ["echo", "a"] }).ended();
    expect([channelText(seen, 3), seen.closeCode]).toEqual(["", 1006]);
  });

  test("statuses of its own, one after another, and a close without any", async () => {
    const server = await openSpoiled(SWITCHED, [
      { act: "message", channel: 3, data: Buffer.from('{"status":') },
      { act: "message", channel: 3, data: Buffer.from('"Maybe"}') },
      { act: "close", code: 1000 },
    ]);
    const seen = await openExecClient(server, { command: ["sleep", "600"] }).ended();
    expect([channelText(seen, 3), seen.closeCode]).toEqual(['{"status":"Maybe"}', 1000]);
  });

  test("output after the status", async () => {
    const server = await openSpoiled(STATUS_SENT, [
      { act: "message", channel: 1, data: Buffer.from("late") },
    ]);
    const seen = await openExecClient(server, { command: ["echo", "early"] }).ended();
    expect(channelText(seen, 1)).toBe("early\nlate");
  });
});

describe("a stream that stops", () => {
  test("stalled, it sends nothing more and answers pings", async () => {
    const server = await openSpoiled({ at: "messages", count: 1 }, [{ act: "stall" }]);
    const client = openExecClient(server, { command: ["sh", "-c", "echo a; echo b; exit 3"] });
    await client.until((seen) => channelText(seen, 1) === "a\n");
    await client.send();
    await client.send();
    expect(shapesOf(client.seen())).toEqual(["1:1", "1:3"]);
    expect(client.seen().closeCode).toBeUndefined();
    expect(server.service.commands().map(({ exitCode }) => exitCode)).toEqual([undefined]);
    client.socket.terminate();
  });

  test("half open, it does not even answer pings", async () => {
    const server = await openSpoiled({ at: "messages", count: 1 }, [{ act: "half_open" }]);
    const client = openExecClient(server, { command: ["sh", "-c", "echo a; sleep 600"] });
    await client.until((seen) => channelText(seen, 1) === "a\n");
    let pongs = 0;
    client.socket.on("pong", () => (pongs += 1));
    client.socket.ping();
    // Another exec's whole life goes by.
    await openExecClient(server, { command: ["true"] }).ended();
    expect(pongs).toBe(0);
    client.socket.terminate();
  });

  test("after a wait it goes on where it was", async () => {
    const server = await openSpoiled({ at: "messages", count: 1 }, [
      { act: "wait", ms: 10 },
      { act: "pings", times: 3 },
    ]);
    const client = openExecClient(server, { command: ["sh", "-c", "echo a; echo b; exit 3"] });
    let pings = 0;
    client.socket.on("ping", () => (pings += 1));
    const seen = await client.ended();
    expect([channelText(seen, 1), pings]).toEqual(["a\nb\n", 3]);
    expect(channelText(seen, 3)).toContain('"message":"3"');
  });
});
