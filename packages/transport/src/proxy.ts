import type { Socket } from "node:net";
import { proxyAnswerBytesMax } from "@connectors/domain";
import { fail, succeed, type Outcome } from "@connectors/sdk";
import { FailureError, makeTransportFailure } from "./network-failure.js";

/** The one proxy that a connection was configured with; its credential prints nowhere. */
export interface Proxy {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** The whole CONNECT request for `authority`. */
  encodeConnect(authority: string): string;
}

/** The proxy at an http or https URL, whose user info becomes Basic; else `invalid_input`. */
export function parseProxy(text: string): Outcome<Proxy> {
  if (!URL.canParse(text)) return fail("invalid_input", "The proxy's URL is not a URL.");
  const url = new URL(text);
  const secure = url.protocol === "https:";
  if (!secure && url.protocol !== "http:") {
    return fail("invalid_input", "The proxy's URL is neither http nor https.");
  }
  if ((url.pathname !== "/" && url.pathname !== "") || url.search !== "" || url.hash !== "") {
    return fail("invalid_input", "The proxy's URL has a path, a query or a fragment.");
  }
  const user = decodeUserInfo(url.username);
  const password = decodeUserInfo(url.password);
  if (user === undefined || password === undefined) {
    return fail("invalid_input", "The proxy's user info is not percent-encoded UTF-8.");
  }
  const basic =
    url.username === "" && url.password === ""
      ? ""
      : `Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString("base64")}\r\n`;
  return succeed({
    secure,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    encodeConnect: (authority) =>
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${basic}\r\n`,
  });
}

/**
 * Resolves when the proxy has opened a tunnel to `authority` on `socket`; rejects with a
 * {@link FailureError}. Bytes behind the proxy's answer are refused: the server behind it has
 * nothing to say before we have.
 */
export function openTunnel(socket: Socket, proxy: Proxy, authority: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    function finish(outcome: "open" | "refused"): void {
      socket.off("data", onData);
      socket.off("close", onClose);
      socket.pause();
      if (outcome === "open") resolve();
      else reject(new FailureError(makeTransportFailure("proxy_refused")));
    }
    function onClose(): void {
      finish("refused");
    }
    function onData(chunk: Buffer): void {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf("\r\n\r\n");
      if (end === -1) {
        if (answer.length > proxyAnswerBytesMax) finish("refused");
        return;
      }
      const opened = /^HTTP\/1\.[01] 2\d\d[ \r]/.test(answer.toString("latin1", 0, 16));
      finish(opened && end + 4 === answer.length ? "open" : "refused");
    }
    socket.on("close", onClose);
    socket.on("data", onData);
    socket.write(proxy.encodeConnect(authority), "latin1");
  });
}

function decodeUserInfo(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
