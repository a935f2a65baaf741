import type { FaultEngine } from "../faults/engine.js";
import { makeCommandLog, type CommandLog, type CommandRecord } from "./command-log.js";
import { makeContainers, type Containers } from "./containers.js";
import { execBounds } from "./exec-bounds.js";
import { openExecStream, type ExecStream, type StreamSetting } from "./exec-stream.js";
import { acceptWebSocket } from "./handshake.js";
import { decideOpening, NEVER_ANSWERED, type Opening } from "./opening.js";
import type { ExecScript } from "./script.js";
import type { ExecSession } from "./session.js";
import { describeFullRuntime, describeLostRuntime, prepareCommand } from "./start-command.js";

/** What an exec service is made of. */
export interface ExecOptions {
  /** The engine of the moment; asked for every exec. */
  readonly faults: () => FaultEngine;
  readonly scripts?: readonly ExecScript[];
  /** How long commands outlive their Pod's object; see `execBounds.podDeletedKillMs`. */
  readonly podDeletedKillMs?: number;
  /** How many commands run at once; see `execBounds.commandsMax`. */
  readonly commandsMax?: number;
}

/** Everything that runs in the containers of one cluster. */
export interface ExecService {
  /** Answers an exec: refuses it, or serves its stream to the end. */
  readonly openExec: (session: ExecSession) => void;
  /** What was run in the containers, the oldest first; the newest are kept. */
  readonly commands: () => readonly CommandRecord[];
  /** How many commands run now, those whose client has left included. */
  readonly runningCount: () => number;
  /** Ends every command. */
  readonly close: () => void;
}

/** A service without any command yet. */
export function makeExecService(options: ExecOptions): ExecService {
  const service = new Service(options);
  return {
    openExec: (session) => service.openExec(session),
    commands: () => service.log.list(),
    runningCount: () => service.running.size,
    close: () => {
      for (const stream of service.running) stream.kill();
    },
  };
}

class Service {
  readonly log: CommandLog = makeCommandLog();
  readonly running: Set<ExecStream> = new Set();
  readonly #options: ExecOptions;
  readonly #containers: Containers;
  #execCount = 0;

  constructor(options: ExecOptions) {
    this.#options = options;
    this.#containers = makeContainers(options.scripts ?? []);
  }

  openExec(session: ExecSession): void {
    const facts = {
      method: session.request.method ?? "GET",
      target: session.request.url ?? "/",
      user: session.user,
      command: session.command,
    };
    const { handshake, stream: faults } = this.#options.faults().exec(facts);
    const opening = decideOpening(session, handshake?.break);
    if (opening === undefined) return;
    let isAccepted = false;
    const connection = session.socket;
    acceptWebSocket({ ...session, ...opening, connection }, (socket) => {
      isAccepted = true;
      session.accepted();
      this.#serve(session, opening, { socket, faults });
    });
    // A client that has left already is not switched with.
    if (!isAccepted) session.answered(NEVER_ANSWERED);
  }

  #serve(
    session: ExecSession,
    { subprotocol, refusal }: Opening,
    { socket, faults }: Pick<StreamSetting, "socket" | "faults">,
  ): void {
    this.#execCount += 1;
    const execId = this.#execCount.toString(16).padStart(64, "0");
    const work = refusal === undefined ? this.#prepare(session, execId) : asResult(refusal);
    const noteEnd = work.kind === "command" ? this.#noteStart(session) : () => undefined;
    let stream: ExecStream | undefined;
    let hasEnded = work.kind === "result";
    stream = openExecStream({
      session,
      socket,
      subprotocol,
      faults,
      work,
      lostRuntime: { result: "failed", why: describeLostRuntime(execId) },
      podDeletedKillMs: this.#options.podDeletedKillMs ?? execBounds.podDeletedKillMs,
      ended: (exitCode) => {
        hasEnded = true;
        if (stream !== undefined) this.running.delete(stream);
        if (exitCode !== undefined) noteEnd(session.cluster.clock.nowMs(), exitCode);
      },
    });
    // It may have come to its end before it had a name.
    if (!hasEnded) this.running.add(stream);
  }

  #prepare(session: ExecSession, execId: string): StreamSetting["work"] {
    if (this.running.size >= (this.#options.commandsMax ?? execBounds.commandsMax)) {
      return asResult({ result: "failed", why: describeFullRuntime(execId) });
    }
    const { container, script } = this.#containers.open(session.pod, session.container);
    const prepared = prepareCommand({
      argv: session.command,
      tty: session.tty,
      container,
      environment: container.environment,
      scripted: script.find(session.command),
      execId,
    });
    if (prepared.kind === "program") return { kind: "command", start: prepared.start };
    return asResult({ result: "failed", why: prepared.why });
  }

  #noteStart(session: ExecSession): ReturnType<CommandLog["started"]> {
    return this.log.started({
      namespace: session.pod.namespace,
      pod: session.pod.name,
      uid: session.pod.uid,
      container: session.container,
      command: session.command,
      user: session.user,
      startedAtMs: session.cluster.clock.nowMs(),
    });
  }
}

function asResult(
  result: (StreamSetting["work"] & { kind: "result" })["result"],
): StreamSetting["work"] {
  return { kind: "result", result };
}
