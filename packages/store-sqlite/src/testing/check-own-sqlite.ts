import { chooseDriver } from "../driver/choose-driver.js";
import { bindContracts } from "./bound-contracts.js";

// Checks every contract on this Node's own SQLite and prints the names that held: for a Node other
// than the one that the tests run on.
const driver = chooseDriver("node:sqlite");
if (!driver.ok) throw new Error(driver.failure.message);
for (const promise of bindContracts(driver.value)) {
  await promise.run();
  console.log(promise.name);
}
