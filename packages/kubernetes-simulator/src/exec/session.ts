import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock, Timers } from "../ports.js";
import type { Status } from "../status.js";

/** `lost` is a kubelet that was killed: the node answers nothing and its streams are cut. */
export type KubeletState = "up" | "lost";

/** The kubelet's state, to read and to follow. */
export interface KubeletView {
  readonly state: () => KubeletState;
  /** Calls `listener` at every change until the returned function is called. */
  readonly onChange: (listener: (state: KubeletState) => void) => () => void;
}

/** What an exec stream can learn of the cluster that it runs in. */
export interface ExecCluster {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly kubelet: KubeletView;
  /** Aborts when the Pod's object is removed, or replaced by one of another uid. */
  readonly podDeleted: AbortSignal;
}

/** The Pod that a stream is opened in. */
export interface ExecPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Labels of the Pod, for scripts that are bound to a selection of Pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** The owning Deployment's name, when the Pod is one of its replicas. */
  readonly deployment?: string;
}

/**
 * One authenticated and authorised request to run a command. The Pod exists and has the container.
 * Whoever is given the session owns its socket from then on.
 */
export interface ExecSession {
  /** Who asks, as authenticated; a fault script may be about one user. */
  readonly user: string;
  /** GET for WebSocket, POST for SPDY; always with an `Upgrade` header. */
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes after the request's head. */
  readonly head: Buffer;
  readonly pod: ExecPod;
  readonly container: string;
  /** False for a container that has ended or never started: "container not found". */
  readonly containerRunning: boolean;
  /** The argv as it was asked for; may be empty, as may its elements. */
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  readonly cluster: ExecCluster;
  /**
   * Answers without a stream: writes the status line, the headers that the server always sends
   * (Audit-Id among them) and the Status, if any, ends the socket and completes the request's
   * record.
   */
  readonly refuse: (httpStatus: number, body?: Status) => void;
  /**
   * Completes the request's record with `httpStatus` when the answer was written by the session's
   * owner: a kubelet's own refusal is passed through without the headers that the server adds.
   */
  readonly answered: (httpStatus: number) => void;
  /** Ends the connection with an RST. */
  readonly reset: () => void;
  /** Completes the request's record as 101; call it when the switch has been written. */
  readonly accepted: () => void;
}
