/** Steps of a build, which `bun run dev` repeats only if a file that they read has changed. */

/**
 * Runs the step if needed, and returns its result. `changedPaths` has the files changed since the last call. If it is
 * undefined, the step always runs.
 */
export type BuildStep<T> = (changedPaths?: readonly string[]) => Promise<T>;

/** Creates a step that runs again if `isRead` is true for a changed path, or if its last run failed. */
export function createStep<T>(
  work: () => Promise<T>,
  isRead: (path: string) => boolean,
): BuildStep<T> {
  let lastResult: Promise<T> | undefined;
  return (changedPaths) => {
    if (lastResult && changedPaths && !changedPaths.some(isRead)) return lastResult;
    const result = work();
    lastResult = result;
    result.catch(() => (lastResult = undefined));
    return result;
  };
}

/**
 * Creates a step that runs again if one of the files that it read has changed. `work` adds the paths of these files to
 * `inputs`.
 */
export function createTrackedStep<T>(work: (inputs: Set<string>) => Promise<T>): BuildStep<T> {
  let readPaths = new Set<string>();
  return createStep(
    () => work((readPaths = new Set())),
    (path) => readPaths.has(path),
  );
}
