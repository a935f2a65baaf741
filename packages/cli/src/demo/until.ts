/** Waits until `look` is true, looking forty times a second; rejects after `timeoutMs`. */
export async function until(look: () => boolean, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!look()) {
    if (performance.now() > end) throw new Error(`it did not come to that in ${timeoutMs} ms`);
    await new Promise((next) => setTimeout(next, 25));
  }
}
