import type { AccessRule } from "./access/rule.js";
import type { UserCredential, UserOptions } from "./access/users.js";
import type { AdmissionHook } from "./admission/hook.js";
import { simulatorBounds } from "./bounds.js";
import { DEFAULT_PACE, type Pace } from "./controllers/pace.js";
import type { CommandRecord } from "./exec/command-log.js";
import { makeExecService } from "./exec/open-exec.js";
import type { ExecScript } from "./exec/script.js";
import type { KubeletState } from "./exec/session.js";
import { makeFaultEngine } from "./faults/engine.js";
import type { FaultRule } from "./faults/fault.js";
import type { RequestRecord } from "./http/request-log.js";
import { encodeKubeconfig } from "./kubeconfig.js";
import { makeObjectsFacade, type SimulatorObjects } from "./objects-facade.js";
import type { Surroundings } from "./ports.js";
import type { ClusterSeed } from "./seed.js";
import { openServer, type Server } from "./server.js";
import { SYSTEM_SURROUNDINGS } from "./system.js";

/** What a simulator starts with: a cluster's objects and users, and what its containers can do. */
export interface SimulatorSeed extends ClusterSeed {
  readonly exec?: readonly ExecScript[];
}

/** How a simulator is opened. Everything has a default. */
export interface SimulatorOptions {
  /** The address to listen at; 127.0.0.1 when absent. */
  readonly host?: string;
  /** A free port when absent or 0. */
  readonly port?: number;
  /** Nothing but the namespaces of every cluster when absent; `defaultSeed()` is a fuller one. */
  readonly seed?: SimulatorSeed;
  /** The machine's own, part by part, where absent. */
  readonly surroundings?: Partial<Surroundings>;
  readonly pace?: Partial<Pace>;
  readonly faults?: readonly FaultRule[];
  /**
   * What becomes of requests that show neither token nor certificate: refused (401, the default),
   * or let in as `system:anonymous`, as a default cluster does, to be refused 403 by its rules.
   */
  readonly anonymous?: "refused" | "allowed";
}

/** The scripts of a simulator's faults. */
export interface SimulatorFaults {
  /** Puts these rules, counted from zero, in the place of all others. */
  readonly use: (rules: readonly FaultRule[]) => void;
  /** How often each rule has struck, in the order of the rules. */
  readonly strikes: () => readonly number[];
}

/** A running simulated cluster. */
export interface Simulator extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** The authority to trust. */
  readonly caPem: string;
  /** May do everything; has a token and a client certificate. */
  readonly admin: UserCredential;
  /** Adds a user, or replaces the one of that name; nothing is allowed but by its rules. */
  readonly addUser: (options: UserOptions) => Promise<UserCredential>;
  readonly removeUser: (name: string) => void;
  /** Replaces what a user may do, from the next request on. */
  readonly setRules: (name: string, rules: readonly AccessRule[]) => void;
  readonly users: () => readonly string[];
  /** A kubeconfig that kubectl accepts, for the admin when no user is named. */
  readonly kubeconfig: (user?: string) => string;
  /** What was asked, oldest first; the newest are kept. */
  readonly requests: () => readonly RequestRecord[];
  /** How many requests there were since the start, cleared and dropped ones included. */
  readonly requestCount: () => number;
  readonly clearRequests: () => void;
  readonly objects: SimulatorObjects;
  readonly faults: SimulatorFaults;
  /** Adds a hook that refuses writes, until the returned function is called. */
  readonly addAdmission: (hook: AdmissionHook) => () => void;
  /** The commands that containers were given to run, oldest first. */
  readonly commands: () => readonly CommandRecord[];
  readonly kubelet: () => KubeletState;
  /** Ends the kubelet: streams are cut as by a real one's death, Pods start and end no more. */
  readonly killKubelet: () => void;
  readonly restoreKubelet: () => void;
  /** Open connections, upgraded ones included. */
  readonly connectionCount: () => number;
  /** Ends everything; idempotent. */
  readonly close: () => Promise<void>;
}

const ADMIN: UserOptions = { name: "admin", groups: ["system:masters"], clientCertificate: true };

/**
 * A simulated Kubernetes cluster behind a TLS server, its seed settled and every seeded Pod ready.
 * Rejects when the port is taken, and for a seed that a cluster would refuse. Own it: close it.
 */
export async function openSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = {} } = options;
  let engine = makeFaultEngine(options.faults);
  const exec = makeExecService({
    faults: () => engine,
    ...(seed.exec === undefined ? {} : { scripts: seed.exec }),
  });
  const server = await openServer({
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    surroundings: { ...SYSTEM_SURROUNDINGS, ...options.surroundings },
    pace: { ...DEFAULT_PACE, ...options.pace },
    objects: seed.objects ?? [],
    admission: seed.admission ?? [],
    anonymous: options.anonymous ?? "refused",
    faults: () => engine,
    openExec: exec.openExec,
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing ??= closeAll(server, exec.close);
    await closing;
  };
  const admin = await addUsers(server, seed.users ?? []).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url: server.url,
    port: server.port,
    caPem: server.caPem,
    admin,
    ...userFacade(server),
    requests: server.log.records,
    requestCount: server.log.total,
    clearRequests: server.log.clear,
    objects: makeObjectsFacade(server.world),
    faults: {
      use: (rules) => {
        engine = makeFaultEngine(rules);
      },
      strikes: () => engine.strikes(),
    },
    addAdmission: (hook) => addAdmission(server, hook),
    commands: exec.commands,
    kubelet: server.kubelet.state,
    killKubelet: () => {
      server.kubelet.set("lost");
    },
    restoreKubelet: () => {
      server.kubelet.set("up");
    },
    connectionCount: server.connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function addUsers(
  { users }: Server,
  seeded: readonly UserOptions[],
): Promise<UserCredential> {
  const admin = await users.add(ADMIN);
  for (const user of seeded) await users.add(user);
  return admin;
}

async function closeAll(server: Server, closeExec: () => void): Promise<void> {
  closeExec();
  await server.close();
}

function addAdmission(server: Server, hook: AdmissionHook): () => void {
  const remove = server.admission.add(hook);
  if (remove === false) {
    throw new RangeError(`a simulator has at most ${simulatorBounds.admissionHooksMax} hooks`);
  }
  return remove;
}

type UserFacade = Pick<Simulator, "addUser" | "removeUser" | "setRules" | "users" | "kubeconfig">;

function userFacade(server: Server): UserFacade {
  return {
    addUser: server.users.add,
    removeUser: server.users.remove,
    setRules: server.users.setRules,
    users: server.users.names,
    kubeconfig: (name = ADMIN.name) => {
      const user = server.users.credential(name);
      if (user === undefined) throw new RangeError(`there is no user ${JSON.stringify(name)}`);
      return encodeKubeconfig(server.url, server.caPem, user);
    },
  };
}
