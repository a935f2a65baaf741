export {
  defaultKubeconfigPaths,
  readKubeconfig,
  splitKubeconfigList,
  type KubeconfigContext,
  type KubeconfigRequest,
} from "./kubeconfig.js";
export { readNodeEnvironment, type NodeEnvironment } from "./node-environment.js";
