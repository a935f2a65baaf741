import { execBounds } from "./exec-bounds.js";
import { makeContainer, type Container } from "./process/container.js";
import { scriptFor, type ContainerScript, type ExecScript } from "./script.js";
import type { ExecPod } from "./session.js";

/** A container, and what scripts say about it. */
export interface OpenContainer {
  readonly container: Container;
  readonly script: ContainerScript;
}

/** The containers of a cluster: made when something is first run in them. */
export interface Containers {
  readonly open: (pod: ExecPod, container: string) => OpenContainer;
}

/** Containers under `scripts`; the least recently used are forgotten, with their files. */
export function makeContainers(scripts: readonly ExecScript[]): Containers {
  const known = new Map<string, OpenContainer>();
  return {
    open: (pod, container) => {
      const key = `${pod.uid}/${container}`;
      const opened = known.get(key) ?? makeOpenContainer(scripts, pod, container);
      known.delete(key);
      known.set(key, opened);
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size > execBounds.containersMax) known.delete(oldest);
      return opened;
    },
  };
}

function makeOpenContainer(
  scripts: readonly ExecScript[],
  pod: ExecPod,
  name: string,
): OpenContainer {
  const script = scriptFor(scripts, pod, name);
  const environment = new Map([
    ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ["HOSTNAME", pod.name],
    ["KUBERNETES_SERVICE_HOST", "10.96.0.1"],
    ["KUBERNETES_SERVICE_PORT", "443"],
    ...script.environment,
    ["HOME", script.environment.get("HOME") ?? "/root"],
  ]);
  const container = makeContainer({ hostname: pod.name, environment, files: script.files });
  return { container, script };
}
