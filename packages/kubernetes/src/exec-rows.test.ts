import {
  execConsumedBytesMax,
  execMessageBytesMax,
  execSettleMatrix,
  type ExecSettleRow,
} from "@connectors/domain";
import type { JsonObject, Settlement } from "@connectors/sdk";
import {
  answering,
  encodeAnswer,
  encodeClose,
  encodeFrame,
  findClosedPort,
  headerOf,
  opcodes,
  openHostilePeer,
  resetsUnanswered,
  switching,
  type HostilePeer,
  type PeerConnection,
  type PeerScript,
} from "@connectors/transport/testing";
import { describe, expect, test } from "vitest";
import {
  benchCorrelation,
  openDispatchBench,
  untilReady,
  type DispatchBench,
} from "./testing/dispatch-bench.js";

const input: JsonObject = {
  namespace: "web",
  pod: "api-0",
  container: "app",
  command: ["sh", "-c", "echo a b"],
  timeout_seconds: 5,
  max_output_bytes: 8,
};
const success = '{"metadata":{},"status":"Success"}';
const exit3 =
  '{"metadata":{},"status":"Failure","message":"m","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}';
const failed =
  '{"metadata":{},"status":"Failure","message":"s3cret","reason":"InternalError","details":{"causes":[{"message":"s3cret"}]},"code":500}';

const message = (channel: number, data: string | Uint8Array = ""): Buffer =>
  encodeFrame({
    opcode: opcodes.binary,
    payload: Buffer.concat([Uint8Array.of(channel), Buffer.from(data)]),
  });

/** A peer that switches to v4 and writes these frames, then closes in order. */
function streaming(...frames: readonly Buffer[]): PeerScript {
  return switching(async (connection) => {
    await connection.write(Buffer.concat([message(1), ...frames, encodeClose(1000)]));
    connection.finish();
    await connection.hang();
  });
}

function streamingThen(
  then: (connection: PeerConnection) => Promise<void> | void,
  ...frames: readonly Buffer[]
): PeerScript {
  return switching(async (connection) => {
    await connection.write(Buffer.concat([message(1), ...frames]));
    await then(connection);
    await connection.hang();
  });
}

function refusing(status: number, body: unknown = ""): PeerScript {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return answering(() => ({ status, body: text }));
}

const forbidden = (text: string): unknown => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: text,
  reason: "Forbidden",
  details: { name: "api-0", kind: "pods" },
  code: 403,
});

interface Row {
  readonly peer: PeerScript;
  /** What happens once the peer has the request; nothing unless said. */
  readonly meanwhile?: (bench: DispatchBench, peer: HostilePeer) => Promise<void>;
  readonly settles: object;
}

const applied = (exitCode: number, more: object = {}): object => ({
  kind: "applied",
  result: { exit_code: exitCode, evidence: "direct", ...more },
});
const refused = (code: string, httpStatus: number): object => ({
  kind: "refused",
  stage: "response",
  failure: { code, effect: "none", retry: "new_key" },
  provider: { http_status: httpStatus, resource_version: null },
});
const unknown = (code: string, more: object = {}): object => ({
  kind: "unknown",
  code,
  failure: { code: "outcome_unknown", effect: "unknown", retry: "after_check" },
  ...more,
});
const observed = (more: object): object => ({ stage: "response", observed: more });

const big = Buffer.alloc(execMessageBytesMax - 1, "x");

/** What makes each row happen on a socket; the table's own facts are never made by hand. */
const rows: Readonly<Record<Exclude<ExecSettleRow, "not_sent">, Row>> = {
  answered_invalid: { peer: refusing(400), settles: refused("invalid_input", 400) },
  answered_unauthorized: { peer: refusing(401), settles: refused("unauthorized", 401) },
  answered_forbidden: { peer: refusing(403), settles: refused("forbidden", 403) },
  answered_not_found: { peer: refusing(404), settles: refused("not_found", 404) },
  answered_otherwise: {
    peer: refusing(500),
    settles: unknown("unavailable", {
      stage: "response",
      provider: { http_status: 500, resource_version: null },
    }),
  },
  answer_lost: { peer: resetsUnanswered, settles: unknown("unavailable", { stage: "dispatch" }) },
  violation: {
    // Even a Success that came before it does not count.
    peer: streaming(message(3, success), message(4, "x")),
    settles: unknown("upstream_protocol", observed({ status_reason: "Success" })),
  },
  overflow: {
    peer: streaming(
      message(3, success),
      ...Array.from({ length: execConsumedBytesMax / execMessageBytesMax }, () => message(1, big)),
    ),
    settles: unknown("capacity", observed({ stdout: "xxxxxxxx", stdout_truncated: true })),
  },
  status_success: {
    peer: streaming(message(1, "out\n"), message(2, "err\n"), message(3, success)),
    settles: applied(0, { stdout: "out\n", stderr: "err\n" }),
  },
  status_exit: { peer: streaming(message(3, exit3)), settles: applied(3) },
  ended_lost: {
    peer: streamingThen((connection) => connection.reset(), message(1, "a")),
    settles: unknown("unavailable", observed({ stdout: "a", status_reason: null })),
  },
  ended_deadline: {
    peer: streamingThen(() => undefined, message(1, "a")),
    meanwhile: async (bench) => {
      await untilReady(() => bench.acceptedCount() === 1);
      bench.ambient.advance(5_000);
    },
    settles: unknown("timeout", { stage: "response" }),
  },
  ended_truncated: {
    peer: streaming(message(1, Buffer.concat([big, Buffer.from("x")]))),
    settles: unknown("capacity", observed({ stdout: "" })),
  },
  ended_unsettled: {
    peer: streaming(message(1, "a"), message(3, failed)),
    settles: unknown(
      "upstream_protocol",
      observed({ stdout: "a", status_reason: "InternalError" }),
    ),
  },
};

async function settle(
  { peer: script, meanwhile }: Pick<Row, "peer" | "meanwhile">,
  options: { readonly input?: JsonObject; readonly offer?: readonly string[] } = {},
): Promise<{ readonly settlement: Settlement; readonly peer: HostilePeer }> {
  const peer = await openHostilePeer({ script });
  await using bench = openDispatchBench(
    peer.url,
    options.offer === undefined ? {} : { exec_subprotocols: options.offer },
  );
  const dispatched = bench.dispatch("pods.exec", options.input ?? input);
  await meanwhile?.(bench, peer);
  const settlement = await dispatched;
  await peer[Symbol.asyncDispose]();
  return { settlement, peer };
}

describe("every row of the exec table, through a socket", () => {
  test.each(execSettleMatrix.rows.map(({ row }) => row))("exec row %s", async (row) => {
    if (row === "not_sent") {
      await using bench = openDispatchBench(`http://127.0.0.1:${await findClosedPort()}`);
      expect(await bench.dispatch("pods.exec", input)).toMatchObject({
        kind: "refused",
        stage: "dispatch",
        failure: { code: "unavailable", effect: "none", retry: "new_key" },
        provider: { http_status: null },
      });
      return;
    }
    const { settlement, peer } = await settle(rows[row]);
    expect(settlement).toMatchObject(rows[row].settles);
    expect(peer.requests().length).toBe(1);
  });
});

describe("the request", () => {
  test("is one upgrade that offers v4 alone and carries the attempt's id", async () => {
    const { peer } = await settle(rows.status_success);
    const [request] = peer.requests();
    expect(`${request?.method} ${request?.target}`).toBe(
      "GET /api/v1/namespaces/web/pods/api-0/exec?container=app&command=sh&command=-c" +
        "&command=echo%20a%20b&stdin=false&stdout=true&stderr=true&tty=false",
    );
    expect(request && headerOf(request, "sec-websocket-protocol")).toBe("v4.channel.k8s.io");
    expect(request && headerOf(request, "audit-id")).toBe(benchCorrelation);
    expect(request && headerOf(request, "authorization")).toBe("Bearer bench-t0ken");
  });

  test("offers v5 first where that is configured, and its Success is marked as translated", async () => {
    const { settlement, peer } = await settle(rows.status_success, { offer: ["v5", "v4"] });
    const [request] = peer.requests();
    expect(request && headerOf(request, "sec-websocket-protocol")).toMatch(/^v5[^,]*, ?v4/);
    expect(settlement).toMatchObject({
      result: { evidence: "translated", provenance: { subprotocol: "v5" } },
    });
  });

  test("is stopped before it leaves when the caller has stopped", async () => {
    await using peer = await openHostilePeer({ script: rows.status_success.peer });
    await using bench = openDispatchBench(peer.url);
    expect(await bench.dispatch("pods.exec", input, AbortSignal.abort())).toMatchObject({
      kind: "refused",
      stage: "dispatch",
      failure: { code: "interrupted" },
    });
    expect(peer.requests()).toEqual([]);
  });
});

describe("what else a stream can do", () => {
  test.each([
    [
      "a status cut over messages, then late output",
      streaming(message(3, exit3.slice(0, 20)), message(3, exit3.slice(20)), message(2, "late")),
      applied(3, { stderr: "late" }),
    ],
    [
      "a settled status, then a reset",
      streamingThen((c) => c.reset(), message(3, success)),
      applied(0),
    ],
    [
      "a settled status, then a text message",
      streaming(message(3, success), encodeFrame({ opcode: opcodes.text, payload: "x" })),
      applied(0),
    ],
    [
      "a message of zero bytes after a Success",
      streaming(message(3, success), encodeFrame({ opcode: opcodes.binary })),
      unknown("upstream_protocol"),
    ],
    [
      "a status that never ends",
      streaming(message(3, "x".repeat(70_000)), message(3, success)),
      unknown("upstream_protocol"),
    ],
    [
      "no status",
      streaming(message(1, "a")),
      unknown("upstream_protocol", observed({ status_reason: null })),
    ],
    [
      "a text message",
      streaming(encodeFrame({ opcode: opcodes.text, payload: "x" })),
      unknown("upstream_protocol"),
    ],
    [
      "a switch to another protocol",
      switching((c) => c.hang(), { protocols: ["v5.channel.k8s.io"] }),
      unknown("upstream_protocol", { stage: "dispatch" }),
    ],
    [
      "a switch without an accept key",
      switching((c) => c.hang(), { accept: null }),
      unknown("upstream_protocol", { stage: "dispatch" }),
    ],
    ["a 200", refusing(200, success), unknown("unavailable")],
    [
      "a redirect",
      answering(() => ({ status: 302, headers: [["location", "/elsewhere"]] })),
      unknown("unavailable"),
    ],
    ["a 409", refusing(409), unknown("unavailable")],
    ["a 429", refusing(429), unknown("unavailable")],
    ["a 422", refusing(422), refused("invalid_input", 422)],
  ])("%s", async (_what, script, settles) => {
    const { settlement, peer } = await settle({ peer: script });
    expect(settlement).toMatchObject(settles);
    expect(peer.requests().length).toBe(1);
  });

  test("an answer that comes after the deadline is not waited for", async () => {
    const silent: PeerScript = async (connection) => {
      await connection.readRequest();
      await connection.hang();
    };
    const { settlement } = await settle({
      peer: silent,
      meanwhile: async ({ ambient }, peer) => {
        await untilReady(() => peer.requests().length === 1);
        ambient.advance(5_000);
      },
    });
    expect(settlement).toMatchObject(unknown("timeout", { stage: "dispatch" }));
  });

  test("output is cut on a scalar, each channel by itself, and counted whole", async () => {
    const script = streaming(message(1, "1234567€"), message(2, "12345678"), message(3, success));
    const { settlement } = await settle({ peer: script });
    expect(settlement).toMatchObject({
      result: {
        stdout: "1234567",
        stdout_truncated: true,
        stderr: "12345678",
        stderr_truncated: false,
      },
      summary: {
        exit_code: 0,
        stdout_bytes: 10,
        stderr_bytes: 8,
        stdout_truncated: true,
        stderr_truncated: false,
      },
    });
  });
});

describe("hints", () => {
  const hintOf = async (script: PeerScript): Promise<string> => {
    const { settlement } = await settle({ peer: script });
    return settlement.kind === "refused" ? settlement.failure.hint : settlement.kind;
  };

  test.each([
    [
      "get missing",
      'pods "api-0" is forbidden: User "ada" cannot get resource "pods/exec" in API group ""',
      /must allow get on pods\/exec in namespace web, and from Kubernetes v1.35 create/,
    ],
    ["create missing, unnamed", 'pods "api-0" is forbidden: ', /must allow create on pods\/exec/],
    [
      "create missing, named",
      'pods "api-0" is forbidden: User "ada" cannot create resource "pods/exec"',
      /must allow create on pods\/exec/,
    ],
    ["admission", 'pods "api-0" is forbidden: s3cret', /get and create .* admission must not deny/],
  ])("of a 403 name the verb: %s", async (_what, text, hint) => {
    const shown = await hintOf(refusing(403, forbidden(text)));
    expect(shown).toMatch(hint);
    expect(shown).not.toMatch(/ada|s3cret/);
  });

  test("of a 403 without a Status point at the offer", async () => {
    expect(await hintOf(refusing(403))).toMatch(/subprotocols/);
  });

  test("of a 400 and a 404 name what may be missing", async () => {
    expect(await hintOf(refusing(400))).toMatch(/no such container/);
    expect(await hintOf(refusing(404))).toMatch(/no Pod api-0 in namespace web/);
  });

  test("of an unknown say that the command may still run, and nothing that the server said", async () => {
    const lost = await settle(rows.ended_lost);
    expect(lost.settlement).toMatchObject({
      failure: { hint: expect.stringMatching(/may still be running/) as string },
    });
    const { settlement } = await settle(rows.ended_unsettled);
    expect(JSON.stringify(settlement)).not.toContain("s3cret");
    expect(settlement).toMatchObject({
      failure: { hint: expect.stringMatching(/has no such program/) as string },
    });
  });
});

test("an answer that was cut within its headers is lost", async () => {
  const script: PeerScript = async (connection) => {
    await connection.readRequest();
    await connection.write(encodeAnswer({ status: 403, body: "x" }).subarray(0, 20));
    connection.finish();
    await connection.hang();
  };
  const { settlement } = await settle({ peer: script });
  expect(settlement).toMatchObject({ kind: "unknown", stage: "dispatch" });
});
