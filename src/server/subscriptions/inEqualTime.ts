/** Answers that take as long whichever way they went, so that the clock tells nothing. */

const GRID_MS = 50;

/**
 * Runs `work` and waits for the next multiple of 50 ms since its start: a write that one address
 * needs and another doesn't can't be seen from outside (security.md, "who is on the list").
 */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const passed = performance.now() - start;
    await Bun.sleep(Math.ceil(passed / GRID_MS) * GRID_MS - passed);
  }
}
