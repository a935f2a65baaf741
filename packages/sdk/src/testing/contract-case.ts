/**
 * One promise that every adapter of a port keeps, as data: `run` rejects when it is broken.
 *
 * No test runner is in sight, so that anybody can run it:
 * `for (const c of suite) test(c.name, () => c.run(makeHarness()))`.
 */
export interface ContractCase<Harness> {
  /** A sentence of fact. */
  readonly name: string;
  run(harness: Harness): Promise<void>;
}
