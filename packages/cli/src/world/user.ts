import { homedir, userInfo } from "node:os";

/** The process's own user, as the system's user database has it; never from the environment. */
export interface User {
  /** null where the database has no entry, as for a container's arbitrary user id. */
  readonly name: string | null;
  readonly homeDirectory: string;
}

/** Who this process runs as. */
export function readUser(): User {
  try {
    const { username, homedir: home } = userInfo();
    return { name: username, homeDirectory: home };
  } catch {
    // There is no such user: the name is missing, the home is whatever HOME says.
    return { name: null, homeDirectory: homedir() };
  }
}
