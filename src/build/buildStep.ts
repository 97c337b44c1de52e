/** A step of a build. `bun run dev` repeats it only if a file that it reads has changed. */

/**
 * Returns the step's result. `changedPaths` are those since the last call; undefined if any file may have changed.
 */
export type BuildStep<T> = (changed?: readonly string[]) => Promise<T>;

/** Creates a step that runs again if `isRead` is true for a changed path, or if it failed. */
export function createStep<T>(
  work: () => Promise<T>,
  isRead: (path: string) => boolean,
): BuildStep<T> {
  let last: Promise<T> | undefined;
  return (changed) => {
    if (last && changed && !changed.some(isRead)) return last;
    const done = work();
    last = done;
    done.catch(() => (last = undefined));
    return done;
  };
}

/** Creates a step whose `work` reports the files that it reads. */
export function createTrackedStep<T>(work: (inputs: Set<string>) => Promise<T>): BuildStep<T> {
  let read = new Set<string>();
  return createStep(
    () => work((read = new Set())),
    (path) => read.has(path),
  );
}
