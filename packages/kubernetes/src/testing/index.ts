export { makeExampleOptions } from "./example-options.js";
