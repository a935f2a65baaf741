import { makeAuthorizer } from "./access/authorizer.js";
import type { AccessRule } from "./access/rule.js";
import { makeUsers, type Users } from "./access/users.js";
import { makeAdmission, type Admission } from "./admission/admission.js";
import type { AdmissionHook } from "./admission/hook.js";
import { startControllers } from "./controllers/cluster-controllers.js";
import { makeKubeletSwitch, type KubeletSwitch } from "./controllers/kubelet-state.js";
import type { Pace } from "./controllers/pace.js";
import { makeStartupTimers } from "./controllers/startup-timers.js";
import type { ExecSession } from "./exec/session.js";
import type { FaultEngine } from "./faults/engine.js";
import { makeExchange } from "./http/exchange.js";
import { makeGate } from "./http/gate.js";
import { openListener } from "./http/listener.js";
import { makeRequestLog, type RequestLog } from "./http/request-log.js";
import { makeUid } from "./objects/identity.js";
import type { World } from "./objects/world.js";
import { openAuthority } from "./pki.js";
import type { Surroundings } from "./ports.js";
import { readOpenApiDocuments, readSchemas } from "./schema/documents.js";
import { plantNamespaces, plantObjects } from "./seed.js";
import type { JsonObject } from "./json-value.js";
import { makeObjectStore } from "./store/object-store.js";
import { makeTimerPool } from "./timer-pool.js";

/** What a server is made of. */
export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly surroundings: Surroundings;
  readonly pace: Pace;
  readonly objects: readonly JsonObject[];
  readonly admission: readonly AdmissionHook[];
  readonly anonymous: "refused" | "allowed";
  /** The engine of the moment; asked for every request. */
  readonly faults: () => FaultEngine;
  readonly openExec: (session: ExecSession) => void;
}

/** A running API server with its cluster. */
export interface Server {
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  readonly world: World;
  readonly users: Users;
  readonly admission: Admission;
  readonly kubelet: KubeletSwitch;
  readonly log: RequestLog;
  readonly connections: () => number;
  /** Stops everything: listening, connections, controllers, timers. */
  readonly close: () => Promise<void>;
}

// What a cluster goes through by itself, and how long that may take, before it opens.
const STARTUP_HORIZON_MS = 600_000;

/** Opens a server; its cluster is settled by then, with every seeded Pod ready. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const timers = makeTimerPool(options.surroundings.timers);
  const surroundings: Surroundings = { ...options.surroundings, timers };
  const documents = readOpenApiDocuments();
  const admission = makeAdmission(options.admission);
  const world: World = {
    store: makeObjectStore(),
    schemas: readSchemas(),
    admission,
    surroundings,
  };
  const kubelet = makeKubeletSwitch();
  const startup = makeStartupTimers(timers);
  const stopControllers = startControllers({ world, timers: startup, pace: options.pace, kubelet });
  const stop = (): void => {
    stopControllers();
    timers.cancelAll();
  };
  plantNamespaces(world);
  plantObjects(world, options.objects);
  startup.settle(STARTUP_HORIZON_MS);

  const authority = await openAuthority("simulator-ca", surroundings.random);
  const users = makeUsers(authority, surroundings.random);
  const authorizer = makeAuthorizer((name): readonly AccessRule[] => users.rulesOf(name));
  const log = makeRequestLog();
  let address = "";
  const exchange = makeExchange({
    api: { world, authorizer, documents, watches: { current: 0 }, address: () => address },
    gate: makeGate(users, authorizer, options.anonymous),
    log,
    faults: options.faults,
    kubelet,
    surroundings,
    openExec: options.openExec,
    reset: (socket) => {
      listener.reset(socket);
    },
    flowSchemaUid: makeUid(surroundings.random),
    priorityLevelUid: makeUid(surroundings.random),
  });
  const listener = await openListener({
    host: options.host,
    port: options.port,
    certificate: await authority.issueServer(hostsOf(options.host)),
    caPem: authority.certificatePem,
    ...exchange,
  }).catch((error: unknown) => {
    // Nothing of a cluster that nobody can reach may keep the process busy.
    stop();
    throw error;
  });
  const shownHost = describeHost(options.host);
  address = `${shownHost}:${listener.port}`;
  return {
    url: `https://${address}`,
    port: listener.port,
    caPem: authority.certificatePem,
    world,
    users,
    admission,
    kubelet,
    log,
    connections: listener.connections,
    close: async () => {
      stop();
      await listener.close();
    },
  };
}

// Where a client on this machine reaches the server.
function describeHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function hostsOf(host: string): readonly string[] {
  const usual = ["127.0.0.1", "::1", "localhost", "kubernetes", "kubernetes.default.svc"];
  return [...new Set([...usual, host])];
}
