export {
  findClosedPort,
  openHostilePeer,
  type HostilePeer,
  type HostilePeerOptions,
  type PeerScript,
} from "./hostile-peer.js";
export {
  afterRequest,
  answering,
  answersAfterInterim,
  chunkedHead,
  cutsBody,
  dripsBody,
  dripsHeaders,
  encodeAnswer,
  encodeChunk,
  endsBodyByConnection,
  finishesUnanswered,
  neverAnswers,
  resetsUnanswered,
  speaksGarbage,
  stallsInHeaders,
  streamsChunks,
  type PlainAnswer,
} from "./peer-answers.js";
export { headerOf, type PeerConnection, type SeenRequest } from "./peer-connection.js";
export {
  acceptKey,
  decodeClientFrames,
  encodeClose,
  encodeFrame,
  encodeSwitch,
  opcodes,
  switching,
  type Frame,
  type ReadFrame,
  type SwitchAnswer,
} from "./peer-frames.js";
