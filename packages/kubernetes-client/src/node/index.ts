export { readConnectionFacts, type ConnectionFacts } from "./connection-facts.js";
export {
  openConnection,
  type CapturedNodeConnection,
  type ConnectionOptions,
  type NodeConnection,
} from "./connection.js";
export { makeInClusterSource } from "./in-cluster.js";
export {
  defaultKubeconfigPaths,
  readKubeconfig,
  splitKubeconfigList,
  type KubeconfigContext,
  type KubeconfigRequest,
} from "./kubeconfig.js";
export { readNodeEnvironment, type NodeEnvironment } from "./node-environment.js";
