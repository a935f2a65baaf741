import type { RawData, WebSocket } from "ws";

import type { ExecStreamFault, StreamAct } from "../faults/exec-fault.js";
import { execBounds } from "./exec-bounds.js";
import type { CommandResult } from "./exec-status.js";
import { makeInputQueue, type InputQueue } from "./process/input-queue.js";
import { makeProcessGroup, type GroupStart, type ProcessGroup } from "./process/process-group.js";
import type { Ending, OutputStream } from "./process/program.js";
import type { ExecSession } from "./session.js";
import { makeStreamFaults, type StreamFaults } from "./stream-faults.js";
import { CHANNEL, makeStreamState, stepStream, type StreamInput } from "./stream-machine.js";
import type { StreamOutput, StreamState } from "./stream-machine.js";
import { decodeClientMessage, type ClientMessage } from "./client-message.js";
import { performAct } from "./stream-acts.js";
import type { Subprotocol } from "./subprotocol.js";
import { cookOutput, IDLE_TERMINAL, stepTerminal, type TerminalState } from "./terminal.js";
import { makeWire, type Wire } from "./wire.js";

/** An accepted stream, and what is to be run on it. */
export interface StreamSetting {
  readonly session: ExecSession;
  readonly socket: WebSocket;
  readonly subprotocol: Subprotocol;
  readonly faults: readonly ExecStreamFault[];
  /** The command, or what its status says without one being started. */
  readonly work:
    | { readonly kind: "command"; readonly start: GroupStart }
    | { readonly kind: "result"; readonly result: CommandResult };
  /** What the status says when the runtime dies under the command. */
  readonly lostRuntime: CommandResult;
  readonly podDeletedKillMs: number;
  /** The command has ended; without a code when nobody can know it. */
  readonly ended: (exitCode: number | undefined) => void;
}

/** A stream at work. */
export interface ExecStream {
  /** Ends the command by SIGKILL, and with it the stream. */
  readonly kill: () => void;
}

/** Serves a stream until its connection and its command have ended. */
export function openExecStream(setting: StreamSetting): ExecStream {
  const stream = new Stream(setting);
  stream.open();
  return stream;
}

/** What is still to be sent, in order. */
type Pending =
  | StreamOutput
  | { readonly output: "moment"; readonly moment: "before_status" | "after_status" }
  | { readonly output: "settle"; readonly result: CommandResult };

const SIGKILL = 9;

class Stream implements ExecStream {
  readonly #setting: StreamSetting;
  readonly #wire: Wire;
  readonly #faults: StreamFaults;
  readonly #input: InputQueue = makeInputQueue();
  readonly #pending: Pending[] = [];
  readonly #stops: (() => void)[] = [];
  #state: StreamState;
  #group: ProcessGroup | undefined;
  #terminal: TerminalState = IDLE_TERMINAL;
  #result: CommandResult | undefined;
  #isFlushing = false;
  #waitsForClient = false;
  #unreadBytes = 0;

  constructor(setting: StreamSetting) {
    const { session, socket, subprotocol, faults } = setting;
    this.#setting = setting;
    this.#state = makeStreamState(subprotocol, session);
    this.#wire = makeWire(socket, session.socket, subprotocol);
    this.#faults = makeStreamFaults({
      faults,
      timers: session.cluster.timers,
      perform: (act) => this.#perform(act),
      released: () => this.#goOn(),
    });
  }

  open(): void {
    const { session, socket, work } = this.#setting;
    socket.on("message", (data) => this.#received(data));
    socket.on("error", () => this.#step({ input: "client_gone" }));
    socket.on("close", () => this.#step({ input: "client_gone" }));
    this.#step({ input: "switched" });
    if (!session.stdin) this.#input.end();
    this.#faults.reach("switch");
    if (work.kind === "result") return this.#finish(work.result);
    this.#follow();
    this.#group = makeProcessGroup(work.start, {
      timers: session.cluster.timers,
      input: this.#input,
      write: (stream, bytes) => this.#write(stream, bytes),
      inputRead: () => {
        if (!this.#input.isFull()) this.#wire.resumeReading();
      },
      commandEnded: (ending) => this.#commandEnded(ending),
      streamsEnded: () => this.#streamsEnded(),
    });
    this.#group.begin();
  }

  readonly kill = (): void => {
    this.#group?.kill(SIGKILL);
  };

  /** Follows what the command's fate depends on outside of it. */
  #follow(): void {
    const { kubelet, podDeleted, timers } = this.#setting.session.cluster;
    const stopKubelet = kubelet.onChange((state) => {
      if (state === "lost") this.#step({ input: "node_lost" });
    });
    const onDeleted = (): void => {
      this.#stops.push(timers.after(this.#setting.podDeletedKillMs, this.kill));
    };
    podDeleted.addEventListener("abort", onDeleted, { once: true });
    if (podDeleted.aborted) onDeleted();
    this.#stops.push(stopKubelet, () => podDeleted.removeEventListener("abort", onDeleted));
  }

  #step(input: StreamInput): void {
    const wasOpen = this.#state.phase !== "ended";
    const { state, outputs } = stepStream(this.#state, input);
    this.#state = state;
    // What a stream that ends out of turn had not sent yet is lost with it.
    if (wasOpen && state.phase === "ended" && input.input !== "finished") this.#pending.length = 0;
    if (input.input === "output") this.#pending.push(...outputs);
    else for (const output of outputs) this.#send(output);
    if (wasOpen && state.phase === "ended") this.#streamEnded();
  }

  /** Nobody hears the command any more. It goes on: closing a stream stops nothing. */
  #streamEnded(): void {
    this.#faults.stop();
    this.#input.end();
    // Not at once: this may be in the middle of one of the command's own steps.
    this.#setting.session.cluster.timers.after(0, () => {
      this.#group?.inputArrived();
      this.#group?.resume();
    });
  }

  #write(stream: OutputStream, bytes: Uint8Array): boolean {
    if (this.#state.phase === "ended") {
      this.#unreadBytes += bytes.length;
      return this.#unreadBytes <= execBounds.pipeBytesMax;
    }
    const { tty } = this.#setting.session;
    const channel = stream === "stderr" && !tty ? CHANNEL.stderr : CHANNEL.stdout;
    this.#step({ input: "output", channel, bytes: tty ? cookOutput(bytes) : bytes });
    this.#flush();
    return this.#hasRoom();
  }

  #hasRoom(): boolean {
    if (this.#state.phase === "ended") return true;
    if (this.#pending.length > 0) return false;
    if (!this.#wire.isFull()) return true;
    if (!this.#waitsForClient) {
      this.#waitsForClient = true;
      this.#wire.whenWritten(() => {
        this.#waitsForClient = false;
        this.#goOn();
      });
    }
    return false;
  }

  #goOn(): void {
    this.#flush();
    if (this.#hasRoom()) this.#group?.resume();
  }

  /** Sends what is to be sent, as far as the faults let it. */
  #flush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    while (!this.#faults.isHeld()) {
      const next = this.#pending.shift();
      if (next === undefined) break;
      if (next.output === "moment") this.#faults.reach(next.moment);
      else if (next.output === "settle") this.#settle(next.result);
      else this.#send(next);
      if (next.output === "close") this.#streamEnded();
    }
    this.#isFlushing = false;
  }

  #send(output: StreamOutput): void {
    switch (output.output) {
      case "message":
        this.#wire.message(output.channel, output.bytes);
        if (output.channel !== CHANNEL.status && output.bytes.length > 0)
          this.#faults.messageSent();
        return;
      case "close":
        return this.#wire.close(NORMAL_CLOSURE);
      case "cut":
        return this.#wire.cut();
      case "kill":
        return this.#wire.kill();
    }
  }

  #finish(result: CommandResult): void {
    this.#pending.push({ output: "moment", moment: "before_status" }, { output: "settle", result });
    this.#flush();
  }

  #settle(result: CommandResult): void {
    if (this.#state.phase === "ended") return;
    const { state, outputs } = stepStream(this.#state, { input: "finished", result });
    const last = outputs.length - 1;
    this.#pending.unshift(
      ...outputs.slice(0, last),
      { output: "moment", moment: "after_status" },
      ...outputs.slice(last),
    );
    this.#state = state;
  }

  #commandEnded(ending: Ending): void {
    const { session, ended } = this.#setting;
    const code = codeOf(ending);
    ended(code);
    this.#result ??=
      ending.end === "answered"
        ? { result: "scripted", status: ending.status }
        : { result: "exited", code: code ?? 0, argv: session.command };
    if (ending.end === "lost") this.#step({ input: "node_lost" });
  }

  #streamsEnded(): void {
    for (const stop of this.#stops) stop();
    if (this.#result !== undefined) this.#finish(this.#result);
  }

  #received(data: RawData): void {
    const { subprotocol, session } = this.#setting;
    const message = decodeClientMessage(subprotocol, data);
    if (message.kind === "broken") return this.#step({ input: "client_broke" });
    if (!session.stdin || message.kind === "other") return;
    this.#typed(message);
  }

  #typed(message: ClientMessage & { readonly kind: "stdin" | "stdin_closed" }): void {
    if (message.kind === "stdin_closed") this.#input.end();
    else if (this.#setting.session.tty) this.#atTerminal(message.bytes);
    else if (!this.#input.push(message.bytes)) this.#wire.pauseReading();
    this.#group?.inputArrived();
  }

  #atTerminal(bytes: Uint8Array): void {
    const { state, outputs } = stepTerminal(this.#terminal, bytes);
    this.#terminal = state;
    for (const output of outputs) {
      if (output.output === "deliver") this.#input.push(output.bytes);
      else if (output.output === "end") this.#input.endOnce();
      else if (output.output === "interrupt") this.#group?.interrupt();
      else this.#step({ input: "output", channel: CHANNEL.stdout, bytes: output.bytes });
    }
    this.#flush();
  }

  #perform(act: StreamAct): void {
    performAct(act, {
      wire: this.#wire,
      happen: (input) => this.#step(input),
      kill: this.kill,
      loseRuntime: () => {
        this.#result = this.#setting.lostRuntime;
        this.kill();
      },
      reset: this.#setting.session.reset,
    });
  }
}

const NORMAL_CLOSURE = 1_000;

function codeOf(ending: Ending): number | undefined {
  switch (ending.end) {
    case "status":
    case "exit":
      return ending.code;
    case "killed":
      return 128 + ending.signal;
    case "answered":
      return 0;
    case "lost":
      return undefined;
  }
}
