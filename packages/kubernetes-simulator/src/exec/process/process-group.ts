import type { Timers } from "../../ports.js";
import { execBounds } from "../exec-bounds.js";
import type { InputQueue } from "./input-queue.js";
import type { Ending, OutputStream, Reply, Request, Running } from "./program.js";

/** What a command's processes are connected to. */
export interface GroupSurroundings {
  readonly timers: Timers;
  readonly input: InputQueue;
  /** Takes output. False when there is no room for more until `resume` is called. */
  readonly write: (stream: OutputStream, bytes: Uint8Array) => boolean;
  /** Input was read: there may be room for more. */
  readonly inputRead: () => void;
  /** The command itself has ended; others that it started may go on. */
  readonly commandEnded: (ending: Ending) => void;
  /** Nobody is left who could still write: the streams are at their end. */
  readonly streamsEnded: () => void;
}

/** A running command: its main process and what that one has started. */
export interface ProcessGroup {
  /** Makes the first steps, as far as they go without waiting. */
  readonly begin: () => void;
  /** There is room for output again. */
  readonly resume: () => void;
  /** Input, or the end of it, has come. */
  readonly inputArrived: () => void;
  /** Ctrl-C: ends the command, or what its interactive shell is running. */
  readonly interrupt: () => void;
  /** Ends every process by `signal`, at once. */
  readonly kill: (signal: number) => void;
}

type Waiting =
  | { readonly for: "nothing" }
  | { readonly for: "timer"; readonly cancel: () => void }
  | { readonly for: "room" }
  | { readonly for: "input"; readonly bytesMax: number }
  | { readonly for: "ending"; readonly pid: number | undefined };

interface Task {
  readonly pid: number;
  readonly body: Running;
  readonly holds: boolean;
  waiting: Waiting;
}

const NOTHING: Waiting = { for: "nothing" };
const DONE: Reply = { reply: "done" };
const SIGINT = 2;

/** How a group is started. */
export interface GroupStart {
  readonly pid: number;
  readonly body: Running;
  /** Whether Ctrl-C is the body's own affair: an interactive shell's. */
  readonly takesInterrupts: boolean;
}

/** A command that has not made its first step. */
export function makeProcessGroup(start: GroupStart, around: GroupSurroundings): ProcessGroup {
  return new Group(start, around);
}

class Group implements ProcessGroup {
  readonly #around: GroupSurroundings;
  readonly #start: GroupStart;
  readonly #tasks = new Map<number, Task>();
  readonly #endings = new Map<number, Reply>();
  #hasBegun = false;
  #streamsOpen = true;

  constructor(start: GroupStart, around: GroupSurroundings) {
    this.#start = start;
    this.#around = around;
  }

  readonly begin = (): void => {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { pid, body } = this.#start;
    const task: Task = { pid, body, holds: true, waiting: NOTHING };
    this.#tasks.set(pid, task);
    this.#advance(task, DONE);
  };

  readonly resume = (): void => {
    for (const task of this.#waitingFor("room")) this.#advance(task, DONE);
  };

  readonly inputArrived = (): void => {
    for (const task of this.#waitingFor("input")) {
      const reply = task.waiting.for === "input" ? this.#read(task.waiting.bytesMax) : undefined;
      if (reply !== undefined) this.#advance(task, reply);
    }
  };

  readonly interrupt = (): void => {
    const main = this.#tasks.get(this.#start.pid);
    if (main === undefined) return;
    if (!this.#start.takesInterrupts) return this.#end(main, endedBy(SIGINT));
    if (main.waiting.for === "timer") main.waiting.cancel();
    this.#advance(main, { reply: "interrupted" });
  };

  readonly kill = (signal: number): void => {
    const main = this.#tasks.get(this.#start.pid);
    // The command first: who hears that the streams have ended must know how it ended.
    if (main !== undefined) this.#end(main, endedBy(signal));
    for (const task of Array.from(this.#tasks.values())) this.#end(task, endedBy(signal));
  };

  #advance(task: Task, first: Reply): void {
    task.waiting = NOTHING;
    let reply: Reply | undefined = first;
    for (let steps = 0; reply !== undefined; steps += 1) {
      if (steps >= execBounds.stepsPerTurnMax) return this.#wait(task, 0, reply);
      const step = task.body.next(reply);
      if (step.done === true) return this.#end(task, step.value);
      reply = this.#perform(task, step.value);
      // A signal may have ended the very task that asked.
      if (!this.#tasks.has(task.pid)) return;
    }
  }

  /** The reply, or nothing when the task has to wait for it. */
  #perform(task: Task, request: Request): Reply | undefined {
    switch (request.call) {
      case "write": {
        if (this.#around.write(request.stream, request.bytes)) return DONE;
        task.waiting = { for: "room" };
        return undefined;
      }
      case "read": {
        const reply = this.#read(request.bytesMax);
        if (reply === undefined) task.waiting = { for: "input", bytesMax: request.bytesMax };
        return reply;
      }
      case "sleep":
        this.#wait(task, request.ms, DONE);
        return undefined;
      case "pause":
      case "pipe":
        return DONE;
      case "spawn":
        return this.#spawn(request);
      case "wait":
        return this.#await(task, request.pid);
      case "signal":
        return this.#signal(request.pid, request.signal);
    }
  }

  #wait(task: Task, ms: number, reply: Reply): void {
    const cancel = this.#around.timers.after(ms, () => this.#advance(task, reply));
    task.waiting = { for: "timer", cancel };
  }

  #read(bytesMax: number): Reply | undefined {
    const taken = this.#around.input.take(bytesMax);
    if (taken === "waiting") return undefined;
    if (taken === "end") return { reply: "end" };
    this.#around.inputRead();
    return { reply: "bytes", bytes: taken };
  }

  #spawn(request: Request & { readonly call: "spawn" }): Reply {
    if (this.#tasks.size >= execBounds.tasksMax) return { reply: "refused" };
    const { pid, body, holds } = request;
    const task: Task = { pid, body, holds, waiting: NOTHING };
    this.#tasks.set(pid, task);
    // Not before the one that asked goes on: its own next step comes first.
    this.#wait(task, 0, DONE);
    return DONE;
  }

  #await(task: Task, pid: number | undefined): Reply | undefined {
    const ended = pid === undefined ? undefined : this.#endings.get(pid);
    const others = [...this.#tasks.keys()].filter((other) => other !== task.pid);
    const running = pid === undefined ? others.length > 0 : others.includes(pid);
    if (ended !== undefined || !running) return ended ?? { reply: "refused" };
    task.waiting = { for: "ending", pid };
    return undefined;
  }

  #signal(pid: number, signal: number): Reply {
    const task = this.#tasks.get(pid);
    // The container's main process ignores what comes from inside.
    if (task === undefined) return pid === 1 ? DONE : { reply: "refused" };
    if (signal !== 0) this.#end(task, endedBy(signal));
    return DONE;
  }

  #end(task: Task, ending: Ending): void {
    if (!this.#tasks.delete(task.pid)) return;
    if (task.waiting.for === "timer") task.waiting.cancel();
    if (task.pid === this.#start.pid) this.#around.commandEnded(ending);
    else this.#remember(task.pid, endedReply(ending));
    if (ending.end === "killed" && ending.pid !== task.pid) this.#signal(ending.pid, ending.signal);
    this.#wakeWaiters();
    const held = [...this.#tasks.values()].some((other) => other.holds);
    if (held || !this.#streamsOpen) return;
    this.#streamsOpen = false;
    this.#around.streamsEnded();
  }

  /** Keeps how a background task ended for whoever waits for it; the latest ones only. */
  #remember(pid: number, reply: Reply): void {
    this.#endings.set(pid, reply);
    const [oldest] = this.#endings.keys();
    if (oldest !== undefined && this.#endings.size > execBounds.tasksMax) {
      this.#endings.delete(oldest);
    }
  }

  #wakeWaiters(): void {
    for (const task of this.#waitingFor("ending")) {
      const pid = task.waiting.for === "ending" ? task.waiting.pid : undefined;
      const reply = this.#await(task, pid);
      if (reply !== undefined) this.#advance(task, reply);
    }
  }

  #waitingFor(what: Waiting["for"]): readonly Task[] {
    return [...this.#tasks.values()].filter((task) => task.waiting.for === what);
  }
}

function endedBy(signal: number): Ending {
  return { end: "status", code: 128 + signal, signal };
}

function endedReply(ending: Ending): Reply {
  switch (ending.end) {
    case "status":
      return { reply: "ended", code: ending.code, signal: ending.signal };
    case "exit":
      return { reply: "ended", code: ending.code, signal: undefined };
    case "killed":
      return { reply: "ended", code: 128 + ending.signal, signal: ending.signal };
    case "lost":
    case "answered":
      return { reply: "ended", code: 0, signal: undefined };
  }
}
