import { bodyBytesMax } from "@connectors/domain";
import {
  makeManualAmbient,
  type FrameAct,
  type HttpHarness,
  type HttpScene,
  type ObservedRequest,
  type PeerAct,
  type SwitchFault,
} from "@connectors/sdk/testing";
import type { CertificatePair } from "../client-certificate.js";
import { makeCredentialLines, makeFixedCredential } from "../credential.js";
import { openScopedHttp } from "../scoped-http.js";
import { findClosedPort, openHostilePeer, type HostilePeer } from "./hostile-peer.js";
import { chunkedHead, encodeAnswer, encodeChunk } from "./peer-answers.js";
import type { PeerConnection, SeenRequest } from "./peer-connection.js";
import {
  encodeClose,
  encodeFrame,
  encodeSwitch,
  opcodes,
  type SwitchAnswer,
} from "./peer-frames.js";

/** What a harness of scripted TLS peers needs. */
export interface ContractHarnessOptions {
  readonly ca: Uint8Array;
  /** A certificate for 127.0.0.1. */
  readonly server: CertificatePair;
}

const token = "planted-token-8b1f";

/** Scenes over real sockets and TLS: this package's capabilities before a scripted peer. */
export function makeContractHarness(options: ContractHarnessOptions): HttpHarness {
  return {
    async open(acts) {
      let met = 0;
      const peer = await openHostilePeer({
        tls: { cert: Buffer.from(options.server.cert), key: Buffer.from(options.server.key) },
        async script(connection) {
          for (;;) {
            const request = await connection.readRequest();
            if (request === undefined) return;
            const act = acts[Math.min(met, acts.length - 1)] ?? acts[0];
            met += 1;
            if (!(await perform(connection, request, act))) return;
          }
        },
      });
      return makeScene(peer.url, options.ca, peer);
    },
    async openUnreachable() {
      return makeScene(`https://127.0.0.1:${await findClosedPort()}`, options.ca, undefined);
    },
  };
}

function makeScene(origin: string, ca: Uint8Array, peer: HostilePeer | undefined): HttpScene {
  const credential = makeCredentialLines([["Authorization", `Bearer ${token}`]]);
  if (!credential.ok) throw new Error(credential.failure.message);
  const ambient = makeManualAmbient();
  const opened = openScopedHttp({
    baseUrl: `${origin}/base`,
    tls: { ca },
    credential: makeFixedCredential(credential.value),
    limits: { bodyBytesMax },
    ambient,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const scope = opened.value;
  return {
    reader: scope.reader(),
    check: (path) => scope.check(path),
    write: () => scope.intoWrite(),
    upgrade: (bounds) => scope.intoUpgradeWrite(bounds),
    elapse: (ms) => ambient.advance(ms),
    observed: () => (peer?.requests() ?? []).map(observe),
    basePath: "/base/",
    secrets: [token],
    async [Symbol.asyncDispose]() {
      await scope[Symbol.asyncDispose]();
      await peer?.[Symbol.asyncDispose]();
    },
  };
}

function observe(request: SeenRequest): ObservedRequest {
  const headers = new Map<string, string>();
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return { method: request.method, target: request.target, headers, body: request.body };
}

/** True when the connection is good for another request. */
async function perform(
  connection: PeerConnection,
  request: SeenRequest,
  act: PeerAct,
): Promise<boolean> {
  switch (act.act) {
    case "answer":
      return connection.write(encodeAnswer(act));
    case "pieces":
      await connection.write(chunkedHead);
      for (const piece of act.pieces) await connection.write(encodeChunk(piece));
      if (act.after === "end") return connection.write(encodeChunk(""));
      if (act.after === "lose") connection.reset();
      break;
    case "lose":
      connection.finish();
      break;
    case "silence":
      break;
    case "switch":
      await connection.write(encodeSwitch(request, { protocols: [act.protocol] }));
      for (const frame of act.frames) await sendFrame(connection, frame);
      break;
    case "wrong_switch":
      await connection.write(encodeSwitch(request, wordings[act.fault]));
      break;
  }
  await connection.hang();
  return false;
}

const wordings: Readonly<Record<SwitchFault, SwitchAnswer>> = {
  no_upgrade_header: { upgrade: null },
  wrong_accept_key: { accept: "bm90IHRoZSByaWdodCBrZXk=" },
  no_subprotocol: { protocols: [] },
  unoffered_subprotocol: { protocols: ["v9.channel.k8s.io"] },
  doubled_subprotocol: { protocols: ["v4.channel.k8s.io", "v4.channel.k8s.io"] },
};

async function sendFrame(connection: PeerConnection, frame: FrameAct): Promise<void> {
  switch (frame.send) {
    case "message":
      await connection.write(encodeFrame({ opcode: opcodes.binary, payload: frame.payload }));
      return;
    case "fragments":
      for (const [at, payload] of frame.payloads.entries()) {
        const opcode = at === 0 ? opcodes.binary : opcodes.continuation;
        const fin = at === frame.payloads.length - 1;
        await connection.write(encodeFrame({ opcode, payload, fin }));
        await connection.write(encodeFrame({ opcode: opcodes.ping, payload: "between" }));
      }
      return;
    case "text":
      await connection.write(encodeFrame({ opcode: opcodes.text, payload: frame.text }));
      return;
    case "ping":
      await connection.write(encodeFrame({ opcode: opcodes.ping, payload: "hello" }));
      return;
    case "bad_frame":
      await connection.write(encodeFrame({ opcode: opcodes.binary, payload: "x", reserved: 2 }));
      return;
    case "close":
      await connection.write(encodeClose());
      connection.finish();
      return;
    case "loss":
      connection.finish();
      return;
  }
}
