/** Steps of a build, which `bun run dev` repeats only if a file that they read has changed. */

/** Runs the step if it reads one of `changedPaths`, or if `changedPaths` is undefined. Returns its result. */
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

/** Creates a step that runs again if a file in `inputs` has changed. `work` adds the paths it reads to `inputs`. */
export function createTrackedStep<T>(work: (inputs: Set<string>) => Promise<T>): BuildStep<T> {
  let readPaths = new Set<string>();
  return createStep(
    () => work((readPaths = new Set())),
    (path) => readPaths.has(path),
  );
}
