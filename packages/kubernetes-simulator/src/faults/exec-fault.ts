/**
 * How the switch to a stream goes wrong.
 *
 * The names from `accept_wrong` to `subprotocol_doubled` are 101 answers that do not verify;
 * `kubelet_lost` is what the server answers when the node cannot be reached; `no_answer` keeps the
 * connection; `cut` ends it in order, `reset` with an RST.
 */
export type HandshakeBreak =
  | "accept_wrong"
  | "accept_missing"
  | "upgrade_missing"
  | "subprotocol_missing"
  | "subprotocol_unoffered"
  | "subprotocol_doubled"
  | "kubelet_lost"
  | "no_answer"
  | "cut"
  | "reset";

/** A fault of the switch; the command is never started. */
export interface ExecHandshakeFault {
  readonly kind: "exec_handshake";
  readonly break: HandshakeBreak;
}

/**
 * A moment of an accepted stream: right after its greeting, after that many messages of output,
 * that long after the switch, when the command has ended and its status is not yet written, or
 * between the status and the close.
 */
export type StreamMoment =
  | { readonly at: "switch" | "before_status" | "after_status" }
  | { readonly at: "messages"; readonly count: number }
  | { readonly at: "elapsed"; readonly ms: number };

/**
 * One thing that happens to a stream.
 *
 * `kubelet_lost`: the node's part of the path is gone; v4 ends without a status, v5 with a Success
 * that is not one. `runtime_lost`: the container's shim died, an InternalError. `container_killed`:
 * the main process died, 137. `api_server_killed`, `cut`: the connection ends without a close.
 * `reset`: with an RST. `stall`: no more output; pings are answered. `half_open`: nothing at all.
 * The rest write what no server writes.
 */
export type StreamAct =
  | {
      readonly act:
        | "kubelet_lost"
        | "runtime_lost"
        | "container_killed"
        | "api_server_killed"
        | "cut"
        | "reset"
        | "stall"
        | "half_open"
        | "empty_message";
    }
  | { readonly act: "wait"; readonly ms: number }
  | { readonly act: "close"; readonly code: number }
  /** A binary message: the channel's byte, then the bytes. */
  | { readonly act: "message"; readonly channel: number; readonly data: Uint8Array }
  /** A binary message of that many zero bytes after the channel's, `times` times. */
  | {
      readonly act: "flood";
      readonly channel: number;
      readonly bytes: number;
      readonly times: number;
    }
  | { readonly act: "text_message"; readonly text: string }
  /** Bytes on the connection, outside any frame. */
  | { readonly act: "raw"; readonly data: Uint8Array }
  | { readonly act: "pings"; readonly times: number };

/** A fault of an accepted stream: what happens, in order, once its moment has come. */
export interface ExecStreamFault {
  readonly kind: "exec_stream";
  readonly when: StreamMoment;
  readonly acts: readonly StreamAct[];
}
