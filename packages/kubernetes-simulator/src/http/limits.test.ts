import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { simulatorBounds } from "../bounds.js";
import { openSimulator, type Simulator } from "../simulator.js";
import { openSimulatorClient, type SimulatorClient } from "../testing/simulator-client.js";

function connectTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      resolve(socket);
    });
    socket.on("error", reject);
  });
}

function connectSecurely({ port, caPem }: Simulator): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: "127.0.0.1", ca: caPem }, () => {
      resolve(socket);
    });
    socket.on("error", reject);
  });
}

let simulator: Simulator;
let client: SimulatorClient;

beforeAll(async () => {
  simulator = await openSimulator();
  client = openSimulatorClient(simulator);
});

afterAll(async () => {
  client.close();
  await simulator.close();
});

const MAPS = "/api/v1/namespaces/default/configmaps";
const json = { contentType: "application/json" };

describe("a body", () => {
  it("of the limit is read, of one byte more is 413", async () => {
    const room = simulatorBounds.bodyBytesMax - Buffer.byteLength('{"metadata":{"name":"big"}}');
    const body = `{"metadata":{"name":"big"}}${" ".repeat(room)}`;
    expect((await client.request("POST", MAPS, { ...json, body })).status).toBe(201);
    const more = await client.request("POST", MAPS, { ...json, body: `${body} ` });
    expect(more.status).toBe(413);
    expect(more.text).toContain(`limit is ${simulatorBounds.bodyBytesMax}`);
  });

  it("of that size without a declared length is 413 as well", async () => {
    const body = " ".repeat(simulatorBounds.bodyBytesMax + 1);
    const headers = { "Transfer-Encoding": "chunked" };
    const answer = await client
      .request("POST", MAPS, { ...json, body, headers })
      .then(({ status }) => status)
      // A client that still writes may see the connection end before it reads the answer.
      .catch((error: NodeJS.ErrnoException) => error.code);
    expect([413, "ECONNRESET", "EPIPE"]).toContain(answer);
    expect(simulator.requests().at(-1)?.status).toBe(413);
  });

  it("nested deeper than the limit is 400", async () => {
    const nested = (depth: number): string =>
      `{"metadata":{"name":"deep"},"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const at = (depth: number): Promise<{ readonly status: number }> =>
      client.request("POST", `${MAPS}?dryRun=All`, { ...json, body: nested(depth) });
    expect((await at(simulatorBounds.bodyDepthMax - 2)).status).toBe(201);
    expect((await at(simulatorBounds.bodyDepthMax + 1)).status).toBe(400);
  });

  it("with a key named __proto__ changes no prototype", async () => {
    const body = '{"metadata":{"name":"proto"},"data":{"__proto__":"x","constructor":"y"}}';
    const answer = await client.request("POST", MAPS, { ...json, body });
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('"__proto__":"x"');
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});

describe("a head", () => {
  it("of more than the limit is 431", async () => {
    const headers = { "X-Long": "a".repeat(simulatorBounds.headerBytesMax) };
    const status = await client
      .request("GET", MAPS, { headers })
      .then((answer) => answer.status)
      .catch((error: NodeJS.ErrnoException) => error.code);
    expect([431, "ECONNRESET", "EPIPE"]).toContain(status);
  });

  it("of 64 arguments of 4 kB in its query is read", async () => {
    const command = Array.from({ length: 16 }, () => `command=${"%C3%A9".repeat(2_048)}`);
    const path = `/api/v1/namespaces/default/pods/none/exec?${command.join("&")}`;
    expect((await client.request("GET", path)).status).toBe(404);
  });

  it("with a path that cannot be decoded is 400", async () => {
    expect((await client.request("GET", "/api/v1/%zz")).status).toBe(400);
  });
});

describe("the server", () => {
  it("outlives garbage, a head that never ends and a body that is cut", async () => {
    const raw = await connectTo(simulator.port);
    raw.write("GET / HTTP/1.1\r\n\r\n");
    raw.write(Buffer.alloc(4_096, 0xff));
    for (const text of ["GET /api", "POST /api/v1/x HTTP/1.1\r\nContent-Length: 99\r\n\r\n{"]) {
      const secure = await connectSecurely(simulator);
      secure.write(text);
      secure.destroy();
    }
    raw.destroy();
    await expect.poll(() => simulator.connectionCount(), { timeout: 10_000 }).toBeLessThan(3);
    expect((await client.request("GET", "/readyz")).text).toBe("ok");
  });

  it("refuses an object that its store would not take", async () => {
    const data = { big: "x".repeat(simulatorBounds.objectBytesMax) };
    const body = { metadata: { name: "large" }, data };
    const answer = await client.request("POST", MAPS, { ...json, body });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain("etcdserver: request is too large");
  });

  it("does not open at a port that is taken, and leaves nothing running", async () => {
    const port = simulator.port;
    const opening = openSimulator({ port });
    await expect(opening).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("closing", () => {
  it("ends watches and connections and is done with it, also twice", async () => {
    const short = await openSimulator();
    const own = openSimulatorClient(short);
    const watch = await own.stream("/api/v1/namespaces?watch=true&resourceVersion=999");
    const next = watch.next();
    await short.close();
    await short.close();
    expect(await next).toBeUndefined();
    own.close();
    expect(short.connectionCount()).toBe(0);
  });
});
