import type { FaultEngine } from "../faults/engine.js";
import type { HandshakeBreak } from "../faults/exec-fault.js";
import { makeFailure } from "../status.js";
import { makeCommandLog, type CommandRecord } from "./command-log.js";
import { execBounds } from "./exec-bounds.js";
import type { CommandResult } from "./exec-status.js";
import { openExecStream, type ExecStream, type StreamSetting } from "./exec-stream.js";
import { acceptWebSocket, checkHandshake, NO_SUBPROTOCOL, writeRefusal } from "./handshake.js";
import { makeContainers } from "./containers.js";
import { describeUnreachable, REFUSED_DIAL, whyKubeletRefuses } from "./kubelet-answers.js";
import { writeKubeletAnswer } from "./kubelet-answers.js";
import type { ExecScript } from "./script.js";
import type { ExecSession } from "./session.js";
import { describeFullRuntime, describeLostRuntime, prepareCommand } from "./start-command.js";
import { answererOf, chooseSubprotocol, offeredNames, type Subprotocol } from "./subprotocol.js";

/** What an exec service is made of. */
export interface ExecOptions {
  /** The engine of the moment; asked for every exec. */
  readonly faults: () => FaultEngine;
  readonly scripts?: readonly ExecScript[];
  /** How long commands outlive their Pod's object; see `execBounds.podDeletedKillMs`. */
  readonly podDeletedKillMs?: number;
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
  const log = makeCommandLog();
  const containers = makeContainers(options.scripts ?? []);
  const running = new Set<ExecStream>();
  let execCount = 0;

  const serve = (session: ExecSession, opening: Opening): void => {
    const { subprotocol, refusal, broken, faults } = opening;
    execCount += 1;
    const execId = execCount.toString(16).padStart(64, "0");
    let isAccepted = false;
    acceptWebSocket({ ...session, connection: session.socket, subprotocol, broken }, (socket) => {
      isAccepted = true;
      session.accepted();
      const work = refusal ? asResult(refusal) : prepareWork(session, execId);
      let stream: ExecStream | undefined;
      let hasEnded = false;
      const noteEnd = work.kind === "command" ? noteStart(session) : () => undefined;
      stream = openExecStream({
        session,
        socket,
        subprotocol,
        faults,
        work,
        lostRuntime: { result: "failed", why: describeLostRuntime(execId) },
        podDeletedKillMs: options.podDeletedKillMs ?? execBounds.podDeletedKillMs,
        ended: (exitCode) => {
          hasEnded = true;
          if (stream !== undefined) running.delete(stream);
          if (exitCode !== undefined) noteEnd(session.cluster.clock.nowMs(), exitCode);
        },
      });
      if (work.kind === "command" && !hasEnded) running.add(stream);
    });
    // A client that has left already is not switched with.
    if (!isAccepted) session.answered(NEVER_ANSWERED);
  };

  const prepareWork = (session: ExecSession, execId: string): StreamSetting["work"] => {
    if (running.size >= execBounds.commandsMax) {
      return asResult({ result: "failed", why: describeFullRuntime(execId) });
    }
    const { container, script } = containers.open(session.pod, session.container);
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
  };

  const noteStart = (session: ExecSession): ReturnType<typeof log.started> =>
    log.started({
      namespace: session.pod.namespace,
      pod: session.pod.name,
      uid: session.pod.uid,
      container: session.container,
      command: session.command,
      user: session.user,
      startedAtMs: session.cluster.clock.nowMs(),
    });

  return {
    openExec: (session) => {
      const facts = {
        method: session.request.method ?? "GET",
        target: session.request.url ?? "/",
        user: session.user,
        command: session.command,
      };
      const { handshake, stream } = options.faults().exec(facts);
      const opening = decideOpening(session, handshake?.break);
      if (opening !== undefined) serve(session, { ...opening, faults: stream });
    },
    commands: () => log.list(),
    runningCount: () => running.size,
    close: () => {
      for (const stream of running) stream.kill();
    },
  };
}

interface Opening {
  readonly subprotocol: Subprotocol;
  /** Why there is nothing to run, when v5 has to say so on the stream. */
  readonly refusal: CommandResult | undefined;
  readonly broken: HandshakeBreak | undefined;
  readonly faults: StreamSetting["faults"];
}

const NEVER_ANSWERED = 0;

/** What is switched to, or nothing when the session has been answered without a switch. */
function decideOpening(
  session: ExecSession,
  broken: HandshakeBreak | undefined,
): Omit<Opening, "faults"> | undefined {
  const { request, cluster } = session;
  if (broken === "no_answer" || broken === "cut" || broken === "reset") {
    return breakOff(session, broken);
  }
  const isLost = broken === "kubelet_lost" || cluster.kubelet.state() === "lost";
  const isWebSocket = request.headers.upgrade?.toLowerCase() === "websocket";
  const offered = offeredNames(request.headers["sec-websocket-protocol"]);
  const answerer = isWebSocket ? answererOf(offered) : "kubelet";
  const kubeletRefusal = isLost ? undefined : whyKubeletRefuses(session);
  if (answerer === "kubelet" && isLost) {
    session.refuse(500, makeFailure(500, undefined, `error dialing backend: ${REFUSED_DIAL}`));
    return undefined;
  }
  if (answerer === "kubelet" && kubeletRefusal !== undefined) {
    writeKubeletAnswer(session, kubeletRefusal);
    return undefined;
  }
  if (!isWebSocket) {
    refuseOtherUpgrade(session);
    return undefined;
  }
  const subprotocol = chooseSubprotocol(offered);
  const wrong = checkHandshake(request) ?? (subprotocol === undefined ? NO_SUBPROTOCOL : undefined);
  if (wrong !== undefined || subprotocol === undefined) {
    writeRefusal(session.socket, wrong ?? NO_SUBPROTOCOL, answerer);
    session.answered((wrong ?? NO_SUBPROTOCOL).status);
    return undefined;
  }
  const unreachable = isLost ? describeUnreachable(session) : undefined;
  const upgrade = kubeletRefusal && `unable to upgrade connection: ${kubeletRefusal.body}`;
  const why = unreachable ?? upgrade;
  const refusal: CommandResult | undefined =
    why === undefined ? undefined : { result: "unreachable", why };
  return { subprotocol, refusal, broken };
}

function breakOff(session: ExecSession, broken: "no_answer" | "cut" | "reset"): undefined {
  session.answered(NEVER_ANSWERED);
  if (broken === "cut") session.socket.destroy();
  if (broken === "reset") session.reset();
}

/** SPDY, or something that nobody speaks. */
function refuseOtherUpgrade(session: ExecSession): void {
  const isSpdy = session.request.headers["x-stream-protocol-version"] !== undefined;
  if (!isSpdy) {
    return writeKubeletAnswer(session, {
      status: 400,
      reason: "Bad Request",
      headers: ["X-Content-Type-Options: nosniff"],
      body: "unable to upgrade: X-Stream-Protocol-Version is required\n",
    });
  }
  const message =
    "the simulator does not speak SPDY: use WebSocket with v4.channel.k8s.io or v5.channel.k8s.io";
  session.refuse(400, makeFailure(400, "BadRequest", message));
}

function asResult(result: CommandResult): StreamSetting["work"] {
  return { kind: "result", result };
}
