export {
  openSimulatorClient,
  type ClientIdentity,
  type ClientRequest,
  type ClientStream,
  type SimulatorAnswer,
  type SimulatorClient,
} from "./simulator-client.js";
