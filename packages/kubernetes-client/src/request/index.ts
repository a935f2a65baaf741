export {
  makeAccessReview,
  parseAccessReview,
  type AccessTarget,
  type AccessVerdict,
} from "./access-review.js";
export {
  makeDeploymentTarget,
  parseDeployment,
  restartedAtAnnotation,
  type DeploymentName,
  type DeploymentView,
} from "./deployment.js";
export { execChannels, execSubprotocolNames, makeExecTarget, type ExecCommand } from "./exec.js";
export {
  isAnonymous,
  makeIdentityReview,
  parseIdentityReview,
  type ReviewedUser,
  type ReviewRequest,
} from "./identity-review.js";
export { makeRestartRequest, type Restart } from "./restart.js";
export {
  parseExecStatus,
  parseStatus,
  type Status,
  type StatusCause,
  type StatusDetails,
} from "./status.js";
