import { request } from "node:http";

import { afterEach, describe, expect, test } from "vitest";

import { channelText, openExecClient, type ExecClient } from "../testing/exec-client.js";
import { openExecRig, type ExecRig, type ExecRigOptions } from "../testing/exec-rig.js";
import { makeManualTimers } from "../testing/manual-timers.js";
import { parseExecScripts } from "./parse-scripts.js";
import type { ExecScript } from "./script.js";

const V5 = ["v5.channel.k8s.io"];

let rig: ExecRig | undefined;

afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

async function openRig(options?: ExecRigOptions): Promise<ExecRig> {
  rig = await openExecRig(options);
  return rig;
}

async function poll(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a client that leaves stops nothing", () => {
  test.each([
    ["closes", (client: ExecClient): void => client.socket.close()],
    ["vanishes", (client: ExecClient): void => client.socket.terminate()],
  ])("when it %s the command runs to its end", async (_name, leave) => {
    const timers = makeManualTimers();
    const server = await openRig({ timers });
    const command = ["sh", "-c", "echo a; sleep 5; echo b; exit 4"];
    const client = openExecClient(server, { command });
    await client.until((seen) => channelText(seen, 1) === "a\n");
    leave(client);
    await client.ended();
    expect(server.service.runningCount()).toBe(1);
    await poll(() => timers.waitingMs().includes(5_000));
    timers.advance(5_000);
    await poll(() => server.service.runningCount() === 0);
    expect(server.service.commands()).toMatchObject([{ command, exitCode: 4 }]);
  });

  test("a program that reads stdin sees its end", async () => {
    const server = await openRig();
    const client = openExecClient(server, { command: ["cat"], stdin: true });
    await client.send(Buffer.from("\0hello"));
    client.socket.terminate();
    await poll(() => server.service.runningCount() === 0);
    expect(server.service.commands()).toMatchObject([{ exitCode: 0 }]);
  });

  test("a program that goes on writing hangs when the pipe is full, until its end", async () => {
    const timers = makeManualTimers();
    const server = await openRig({ timers });
    const client = openExecClient(server, { command: ["yes"] });
    await client.until((seen) => seen.messages.length > 2);
    client.socket.terminate();
    await client.ended();
    await poll(() => timers.waitingMs().includes(0));
    // It hears of the end, fills the pipe, and asks for no turn any more.
    while (timers.fireNext()) expect(server.service.runningCount()).toBe(1);
    server.deletePod();
    timers.advance(0);
    expect(server.service.runningCount()).toBe(0);
    expect(server.service.commands()).toMatchObject([{ command: ["yes"], exitCode: 137 }]);
  }, 20_000);
});

describe("output", () => {
  test("comes in messages of at most 32,769 bytes, complete", async () => {
    const server = await openRig();
    const bytes = 3_000_001;
    const seen = await openExecClient(server, {
      command: ["head", "-c", String(bytes), "/dev/zero"],
    }).ended();
    const sizes = seen.messages.map((message) => message.length);
    expect(Math.max(...sizes)).toBe(32_769);
    expect(channelText(seen, 1).length).toBe(bytes);
    expect(channelText(seen, 3)).toBe('{"metadata":{},"status":"Success"}');
  });

  test("of a pipe is the same bytes as its writer's, cut where its reader ends", async () => {
    const server = await openRig();
    const command = ["sh", "-c", "yes abc | head -c 1000003"];
    const seen = await openExecClient(server, { command, offer: V5 }).ended();
    expect(channelText(seen, 1)).toBe("abc\n".repeat(250_001).slice(0, 1_000_003));
  });

  test("waits for a client that does not read, and nothing is lost", async () => {
    const server = await openRig();
    const bytes = 15_728_640;
    const command = ["head", "-c", String(bytes), "/dev/zero"];
    const client = openExecClient(server, { command });
    await client.until((seen) => seen.messages.length > 1);
    client.socket.pause();
    // Another exec's whole life goes by, again and again, while this one stands still.
    for (let round = 0; round < 5; round += 1) {
      await openExecClient(server, { command: ["true"] }).ended();
    }
    expect(server.service.commands()[0]?.exitCode).toBeUndefined();
    client.socket.resume();
    const seen = await client.ended();
    expect(channelText(seen, 1).length).toBe(bytes);
    expect(server.service.commands()[0]?.exitCode).toBe(0);
  });

  test("of two streams goes to two channels", async () => {
    const server = await openRig();
    const command = ["sh", "-c", "echo a; echo b >&2; echo c 1>&2; cat /nope; echo d"];
    const seen = await openExecClient(server, { command }).ended();
    expect(channelText(seen, 1)).toBe("a\nd\n");
    expect(channelText(seen, 2)).toBe("b\nc\ncat: can't open '/nope': No such file or directory\n");
  });
});

describe("input", () => {
  test("under v5 ends when the client says so", async () => {
    const server = await openRig();
    const client = openExecClient(server, { command: ["cat"], stdin: true, offer: V5 });
    await client.send(Buffer.from("\0one "), Buffer.from("\0two"), Buffer.from([255, 0]));
    const seen = await client.ended();
    expect(channelText(seen, 1)).toBe("one two");
  });

  test("is read no faster than the program takes it", async () => {
    const timers = makeManualTimers();
    const server = await openRig({ timers });
    const command = ["sh", "-c", "sleep 1; cat | head -c 3000000; cat >/dev/null"];
    const client = openExecClient(server, { command, stdin: true, offer: V5 });
    await client.until((seen) => seen.messages.length > 0);
    const piece = Buffer.concat([Buffer.from("\0"), Buffer.alloc(65_536, "x")]);
    for (let sent = 0; sent < 64; sent += 1) client.socket.send(piece);
    client.socket.send(Buffer.from([255, 0]));
    timers.release();
    const seen = await client.ended();
    expect(channelText(seen, 1).length).toBe(3_000_000);
  });

  test("a signal that closes no channel ends the stream without a status", async () => {
    const server = await openRig();
    const client = openExecClient(server, { command: ["sleep", "600"], stdin: true, offer: V5 });
    await client.until((seen) => seen.messages.length > 0);
    client.socket.send(Buffer.from([255, 9]));
    const seen = await client.ended();
    expect([channelText(seen, 3), seen.closeCode]).toEqual(["", 1000]);
    expect(server.service.runningCount()).toBe(1);
  });
});

describe("a terminal", () => {
  test("has a shell that prompts, is interrupted and exits", async () => {
    const timers = makeManualTimers();
    const server = await openRig({ timers });
    const client = openExecClient(server, {
      command: ["sh"],
      stdin: true,
      stderr: false,
      tty: true,
      offer: V5,
    });
    const shows = async (text: string): Promise<void> => {
      await client.until((seen) => channelText(seen, 1).endsWith(text));
    };
    await shows("/ # ");
    await client.send(
      Buffer.from('\u0004{"Width":80,"Height":24}\n'),
      Buffer.from("\0ecko\x7f\x7f"),
    );
    await client.send(Buffer.from("\0ho $((\r"));
    await shows("/ # ");
    await client.send(Buffer.from("\0sleep 600\r"));
    await shows("sleep 600\r\n");
    await client.send(Buffer.from("\0\u0003"));
    await shows("^C\r\n/ # ");
    await client.send(Buffer.from("\0echo $?; exit 4\r"));
    const seen = await client.ended();
    expect(channelText(seen, 1)).toBe(
      [
        "/ # ecko\b \b\b \bho $((\r\n",
        'sh: "$((" is not in the simulator\'s shell\r\n',
        "/ # sleep 600\r\n",
        "^C\r\n",
        "/ # echo $?; exit 4\r\n",
        "130\r\n",
      ].join(""),
    );
    expect(channelText(seen, 3)).toContain('"message":"4"');
  });

  test("ends a program that is no shell by Ctrl-C", async () => {
    const server = await openRig();
    const client = openExecClient(server, { command: ["cat"], stdin: true, tty: true });
    await client.send(Buffer.from("\0\u0003"));
    const seen = await client.ended();
    expect(channelText(seen, 3)).toContain('"message":"130"');
  });

  test("gives Ctrl-D to whoever reads, and the shell goes on after it", async () => {
    const server = await openRig();
    const client = openExecClient(server, { command: ["sh"], stdin: true, tty: true });
    await client.send(Buffer.from("\0cat\r"), Buffer.from("\0\u0004"), Buffer.from("\0exit 5\r"));
    const seen = await client.ended();
    expect(channelText(seen, 3)).toContain('"message":"5"');
  });
});

describe("a seed's scripts", () => {
  function scripts(value: unknown): readonly ExecScript[] {
    const parsed = parseExecScripts(value);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    return parsed.value;
  }

  test("answer exactly their argv, frame by frame", async () => {
    const timers = makeManualTimers();
    const server = await openRig({
      timers,
      scripts: scripts([
        {
          namespace: "web",
          commands: [
            {
              argv: ["psql", "-c", "select 1"],
              frames: [
                { text: "1\n" },
                { stream: "stderr", text: "slow", delayMs: 50 },
                { channel: 1, base64: "/wA=" },
              ],
              end: { exit: 7, delayMs: 10 },
            },
          ],
        },
      ]),
    });
    const client = openExecClient(server, { command: ["psql", "-c", "select 1"] });
    await client.until((seen) => channelText(seen, 1) === "1\n");
    expect(timers.waitingMs()).toEqual([50]);
    timers.release();
    const seen = await client.ended();
    expect([channelText(seen, 1), channelText(seen, 2)]).toEqual(["1\n\u00ff\u0000", "slow"]);
    expect(channelText(seen, 3)).toContain("[psql -c select 1], exit code 7");
    const other = await openExecClient(server, { command: ["psql", "-c", "select 2"] }).ended();
    expect(channelText(other, 3)).toContain("executable file not found in $PATH");
  });

  test("can be lost, and can say what they like", async () => {
    const server = await openRig({
      scripts: scripts([
        {
          commands: [
            { argv: ["lose"], frames: [{ text: "a" }], end: { lost: true } },
            { argv: ["lie"], end: { status: { status: "Success", code: 0 } } },
            { argv: ["mumble"], end: { status: "hm" } },
          ],
        },
      ]),
    });
    const ask = async (name: string, offer?: readonly string[]): Promise<unknown> => {
      const asked = { command: [name], ...(offer === undefined ? {} : { offer }) };
      const seen = await openExecClient(server, asked).ended();
      return [channelText(seen, 1), channelText(seen, 3), seen.closeCode];
    };
    expect(await ask("lose")).toEqual(["a", "", 1006]);
    expect(await ask("lose", V5)).toEqual(["a", '{"metadata":{},"status":"Success"}', 1000]);
    expect(await ask("lie")).toEqual(["", '{"status":"Success","code":0}', 1000]);
    expect(await ask("mumble")).toEqual(["", "hm", 1000]);
  });

  test("give files and variables to the containers that they are about", async () => {
    const server = await openRig({
      scripts: scripts([
        { labels: { app: "api" }, files: { "/srv/motd": "hello\n" }, environment: { TIER: "web" } },
        { labels: { app: "other" }, files: { "/srv/none": "x" } },
        { pod: "p*", container: "side", files: { "/srv/side": "y" } },
      ]),
    });
    const command = ["sh", "-c", "cat /srv/motd; cat /srv/none /srv/side; echo $TIER"];
    const seen = await openExecClient(server, { command }).ended();
    expect(channelText(seen, 1)).toBe("hello\nweb\n");
    const side = await openExecClient(server, { command, container: "side" }).ended();
    expect(channelText(side, 1)).toBe("hello\nyweb\n");
  });
});

test("a shell that is killed from within one of its own pipes dies of it", async () => {
  const server = await openRig();
  const command = ["sh", "-c", "echo a; kill -9 $$ | cat; echo b"];
  const seen = await openExecClient(server, { command }).ended();
  expect(channelText(seen, 1)).toBe("a\n");
  expect(channelText(seen, 3)).toContain('"message":"137"');
});

test("a container keeps its files between commands, and no other container has them", async () => {
  const server = await openRig();
  const ask = async (script: string, container?: string): Promise<string> => {
    const command = ["sh", "-c", script];
    const where = container === undefined ? {} : { container };
    const seen = await openExecClient(server, { command, ...where }).ended();
    return channelText(seen, 1) + channelText(seen, 2);
  };
  expect(await ask("echo one >/tmp/f; echo two >>/tmp/f")).toBe("");
  expect(await ask("cat /tmp/f")).toBe("one\ntwo\n");
  expect(await ask("cat /tmp/f", "other")).toContain("No such file or directory");
});

test("SPDY is refused as what it is, and what cannot be reached is refused alike", async () => {
  const server = await openRig();
  const post = async (headers: Record<string, string>): Promise<string> => {
    return await new Promise((resolve, reject) => {
      const sent = request(
        {
          port: server.port,
          agent: false,
          method: "POST",
          path: "/api/v1/namespaces/web/pods/p/exec?command=id&container=c&stdout=true",
          headers: { Connection: "Upgrade", ...headers },
        },
        (response) => {
          let body = "";
          response.on("data", (chunk: Buffer) => (body += chunk.toString()));
          response.on("end", () => resolve(`${response.statusCode} ${body}`));
        },
      );
      sent.on("error", reject);
      sent.end();
    });
  };
  const spdy = { Upgrade: "SPDY/3.1", "X-Stream-Protocol-Version": "v4.channel.k8s.io" };
  expect(await post(spdy)).toMatch(/^400 .*does not speak SPDY/su);
  expect(await post({ Upgrade: "gopher" })).toBe(
    "400 unable to upgrade: X-Stream-Protocol-Version is required\n",
  );
  expect(await post({ Upgrade: "websocket", "Sec-WebSocket-Protocol": V5[0] ?? "" })).toBe(
    "405 bad method",
  );
  server.setContainerRunning(false);
  expect(await post(spdy)).toBe('500 container not found ("c")');
  server.setKubelet("lost");
  expect(await post(spdy)).toMatch(/^500 .*error dialing backend/su);
});

test("commands run at once to a limit, and one more is not started", async () => {
  const server = await openRig({ commandsMax: 2 });
  const sleeping = [1, 2].map(() => openExecClient(server, { command: ["sleep", "600"] }));
  for (const client of sleeping) await client.until((seen) => seen.messages.length > 0);
  const refused = await openExecClient(server, { command: ["true"] }).ended();
  expect(channelText(refused, 3)).toContain("too many commands");
  expect(server.service.commands()).toHaveLength(2);
  server.deletePod();
  for (const client of sleeping) await client.ended();
  const accepted = await openExecClient(server, { command: ["true"] }).ended();
  expect(accepted.closeCode).toBe(1000);
  expect(server.service.commands()).toHaveLength(3);
});
