/** Resolves when `holds` does, looking every millisecond; rejects after `deadlineMs`. */
export async function until(holds: () => boolean, deadlineMs = 20_000): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`it did not come true: ${holds.toString()}`);
    await new Promise((resolve) => void setTimeout(resolve, 1));
  }
}
