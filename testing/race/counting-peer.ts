import { createServer, request } from "node:http";
import type { OperationDeclaration } from "@connectors/domain";
import { makeScriptedProvider, scriptedDeclarations } from "@connectors/runtime/testing";
import type { AdapterRegistration } from "@connectors/runtime";
import type { Connection } from "@connectors/sdk";

/** A peer that counts what it is sent, by the attempt that sent it. */
export interface CountingPeer {
  readonly port: number;
  counts(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const attemptHeader = "audit-id";

/** Opens the peer on a free port of this machine. */
export async function openCountingPeer(): Promise<CountingPeer> {
  const counts = new Map<string, number>();
  const server = createServer((asked, answer) => {
    const id = String(asked.headers[attemptHeader]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    asked.resume().on("end", () => answer.end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the peer has a port");
  return {
    port: address.port,
    counts: () => counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * What the peer's adapter declares: writes may take two minutes, five seconds of them at the peer.
 * Many processes share few cores, and none of them is to give up for want of time.
 */
export const peerDeclarations: readonly OperationDeclaration[] = scriptedDeclarations.map(
  (declaration) => ({
    ...declaration,
    limits: { ...declaration.limits, execution_ms: 120_000, provider_ms: 5000 },
  }),
);

/** An adapter whose writes go to the peer. */
export function registerPeer(port: number): AdapterRegistration {
  const declarations = peerDeclarations;
  const { registration, adapter } = makeScriptedProvider({ declarations });
  return {
    ...registration,
    // The scripted one says for itself how long its writes take; here the declaration does.
    adapter: {
      ...adapter,
      check(operation, input) {
        const checked = adapter.check(operation, input);
        if (!checked.ok) return checked;
        const { namespace, name, command } = checked.value;
        return { ok: true, value: { namespace, name, command } };
      },
    },
    connection: sendTo(port, registration.connection),
  };
}

function sendTo(port: number, inner: Connection): Connection {
  return {
    describe: () => inner.describe(),
    async capture(options) {
      const captured = await inner.capture(options);
      if (!captured.ok) return captured;
      const { value } = captured;
      return {
        ok: true,
        value: {
          username: value.username,
          http: value.http,
          check: (path) => value.check(path),
          upgrade: (bounds) => value.upgrade(bounds),
          write() {
            const write = value.write();
            if (!write.ok) return write;
            return {
              ok: true,
              value: {
                async send(asked, sendOptions) {
                  await post(port, sendOptions.correlation);
                  return write.value.send(asked, sendOptions);
                },
              },
            };
          },
          [Symbol.asyncDispose]: () => value[Symbol.asyncDispose](),
        },
      };
    },
  };
}

function post(port: number, attempt: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { [attemptHeader]: attempt };
    const asked = request({ host: "127.0.0.1", port, method: "POST", headers }, (answer) => {
      answer.resume().on("end", resolve);
    });
    asked.on("error", reject);
    asked.end();
  });
}
