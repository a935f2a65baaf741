export { makeKubernetesAdapter, type KubernetesAdapterOptions } from "./composition.js";
export { checkKubernetesConfiguration } from "./configuration.js";
