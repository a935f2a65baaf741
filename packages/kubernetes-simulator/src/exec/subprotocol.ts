/** How a subprotocol carries its channels, and how it says how the command ended. */
export interface Subprotocol {
  /** As it is named in the handshake; empty when the client offered none. */
  readonly name: string;
  /** Text messages of a digit and base64, or binary ones of a byte and bytes. */
  readonly encoding: "binary" | "base64";
  /** A Status as JSON, or its message alone. */
  readonly ending: "status" | "message";
  /**
   * Who speaks it. For every offer with v5 in it the API server ends the WebSocket itself and talks
   * to the kubelet in its own way; any other it passes through to the kubelet.
   */
  readonly spokenBy: "server" | "kubelet";
}

const V5: Subprotocol = {
  name: "v5.channel.k8s.io",
  encoding: "binary",
  ending: "status",
  spokenBy: "server",
};

const KUBELET: readonly Subprotocol[] = [
  { name: "", encoding: "binary", ending: "message", spokenBy: "kubelet" },
  { name: "channel.k8s.io", encoding: "binary", ending: "message", spokenBy: "kubelet" },
  { name: "base64.channel.k8s.io", encoding: "base64", ending: "message", spokenBy: "kubelet" },
  { name: "v4.channel.k8s.io", encoding: "binary", ending: "status", spokenBy: "kubelet" },
  { name: "v4.base64.channel.k8s.io", encoding: "base64", ending: "status", spokenBy: "kubelet" },
];

/** The names in a `Sec-WebSocket-Protocol` header, in their order; one empty name without any. */
export function offeredNames(header: string | undefined): readonly string[] {
  const names = (header ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => name !== "" || names.length === 1);
}

/** Who answers an offer. */
export function answererOf(offered: readonly string[]): Subprotocol["spokenBy"] {
  return offered.includes(V5.name) ? "server" : "kubelet";
}

/** The first of the offered subprotocols that whoever answers speaks; nothing is answered 403. */
export function chooseSubprotocol(offered: readonly string[]): Subprotocol | undefined {
  if (answererOf(offered) === "server") return V5;
  for (const name of offered) {
    const found = KUBELET.find((each) => each.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}
