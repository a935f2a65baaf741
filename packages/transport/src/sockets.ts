import { clientCertificatesMax } from "@connectors/domain";
import type { Timers } from "@connectors/sdk";
import type { BaseUrl } from "./base-url.js";
import type { ClientCertificate } from "./client-certificate.js";
import { makeLanes, type Lanes } from "./lane.js";
import type { Proxy } from "./proxy.js";
import { makeTlsPlan, type Trust } from "./trust.js";

/** The connections of a scope and of all that were captured from it. */
export interface Sockets {
  /** The lanes that present `certificate`, or the scope's own; the same ones for the same pair. */
  lanes(certificate: ClientCertificate | undefined): Lanes;
  /** Keeps the connections for one more holder; the last one to let go closes them. */
  hold(): () => void;
}

/** Connections that are opened at their first use. */
export function makeSockets(settings: {
  readonly base: BaseUrl;
  readonly trust: Trust | undefined;
  readonly proxy: Proxy | undefined;
  readonly connectMs: number;
  readonly timers: Timers;
}): Sockets {
  const { base, trust, proxy, connectMs, timers } = settings;
  // Oldest first; a rotated credential's connections go when newer ones have taken their place.
  const kept = new Map<string, Lanes>();
  let latest: { readonly name: string; readonly lanes: Lanes } | undefined;
  let holders = 0;

  function open(certificate: ClientCertificate | undefined): Lanes {
    return makeLanes({
      base,
      proxy,
      connectMs,
      timers,
      tls: trust === undefined ? undefined : makeTlsPlan(trust, certificate),
      proxyTls: proxy?.secure === true ? makeProxyPlan(proxy, trust) : undefined,
    });
  }

  return {
    lanes(presented) {
      const certificate = presented ?? trust?.certificate;
      const name = certificate?.fingerprint ?? "";
      if (latest?.name === name) return latest.lanes;
      const lanes = kept.get(name) ?? open(certificate);
      latest = { name, lanes };
      kept.delete(name);
      kept.set(name, lanes);
      for (const [oldest, old] of kept) {
        if (kept.size <= clientCertificatesMax) break;
        kept.delete(oldest);
        old.close();
      }
      return lanes;
    },
    hold() {
      holders += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders > 0) return;
        for (const lanes of kept.values()) lanes.close();
        kept.clear();
        latest = undefined;
      };
    },
  };
}

/** A proxy is always verified, by its own name, and never shown the client's certificate. */
function makeProxyPlan(proxy: Proxy, trust: Trust | undefined): ReturnType<typeof makeTlsPlan> {
  const roots = trust?.roots;
  return makeTlsPlan({ roots, certificate: undefined, name: proxy.host, verify: true }, undefined);
}
