import type { StreamAct } from "../faults/exec-fault.js";
import type { StreamInput } from "./stream-machine.js";
import type { Wire } from "./wire.js";

/** What a fault's acts reach. */
export interface ActStage {
  readonly wire: Wire;
  /** Something that the stream reacts to in its own way. */
  readonly happen: (input: StreamInput) => void;
  /** Ends the command by SIGKILL. */
  readonly kill: () => void;
  /** Ends the container's shim, and the command with it. */
  readonly loseRuntime: () => void;
  readonly reset: () => void;
}

/** Does one act. Waits and stalls are the script's own. */
export function performAct(act: StreamAct, stage: ActStage): void {
  const { wire } = stage;
  switch (act.act) {
    case "kubelet_lost":
      return stage.happen({ input: "node_lost" });
    case "api_server_killed":
      return stage.happen({ input: "server_killed" });
    case "container_killed":
      return stage.kill();
    case "runtime_lost":
      return stage.loseRuntime();
    case "cut":
      return wire.cut();
    case "reset":
      return stage.reset();
    case "half_open":
      return wire.deafen();
    case "close":
      return wire.close(act.code);
    case "empty_message":
      return wire.empty();
    case "message":
      return wire.message(act.channel, act.data);
    case "flood":
      return repeat(act.times, () => wire.message(act.channel, new Uint8Array(act.bytes)));
    case "text_message":
      return wire.text(act.text);
    case "raw":
      return wire.raw(act.data);
    case "pings":
      return repeat(act.times, () => wire.ping());
    case "wait":
    case "stall":
      return undefined;
  }
}

function repeat(times: number, task: () => void): void {
  for (let at = 0; at < times; at += 1) task();
}
