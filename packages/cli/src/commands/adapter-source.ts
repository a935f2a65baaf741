import { delimiter, resolve } from "node:path";
import type { ConnectionSource } from "@connectors/domain";
import {
  defaultKubeconfigPaths,
  readConnectionFacts,
  readNodeEnvironment,
  splitKubeconfigList,
  type ConnectionFacts,
} from "@connectors/kubernetes-client/node";
import { succeed, type Outcome } from "@connectors/sdk";
import type { AddFlags } from "../program/adapter-commands.js";
import { failUsage } from "../usage-failure.js";

/** A connection's source with nothing left to chance, and what its files say. */
export interface ChosenSource {
  readonly source: ConnectionSource;
  readonly facts: ConnectionFacts;
}

function chooseServer(flags: AddFlags): Outcome<ConnectionSource> {
  const { server, caFile, tokenFile } = flags;
  if (server === undefined || tokenFile === undefined) {
    return failUsage("invalid_input", "--server and --token-file go together", {
      hint: "Name both, and the CA with --ca-file; or name a --context.",
    });
  }
  if (flags.kubeconfig !== undefined || flags.context !== undefined) {
    return failUsage("invalid_input", "--server and a kubeconfig are both given", {
      hint: "Name one of them.",
    });
  }
  return succeed({
    kind: "server",
    server,
    ca_file: caFile === undefined ? null : resolve(caFile),
    token_file: resolve(tokenFile),
  });
}

/**
 * The source that the flags name. Paths become absolute and the context gets its name, so that what
 * is current tomorrow changes nothing.
 */
export async function chooseSource(flags: AddFlags): Promise<Outcome<ChosenSource>> {
  const environment = readNodeEnvironment();
  const direct = flags.server ?? flags.caFile ?? flags.tokenFile;
  if (direct !== undefined) {
    const source = chooseServer(flags);
    if (!source.ok) return source;
    const facts = await readConnectionFacts({ source: source.value, environment });
    return facts.ok ? succeed({ source: source.value, facts: facts.value }) : facts;
  }
  const paths =
    flags.kubeconfig === undefined
      ? defaultKubeconfigPaths(environment)
      : splitKubeconfigList(flags.kubeconfig, environment);
  const kubeconfig = paths.join(delimiter);
  const asked = { kind: "kubeconfig", kubeconfig, context: flags.context ?? null } as const;
  const facts = await readConnectionFacts({ source: asked, environment });
  if (!facts.ok) return facts;
  return succeed({ source: { ...asked, context: facts.value.context }, facts: facts.value });
}
