/** A step of a build, which `bun run dev` does again only where a file that it reads has changed. */

/** The step's result. `changed`: the paths changed since the last call; undefined if any may have changed. */
export type BuildStep<T> = (changed?: readonly string[]) => Promise<T>;

/** A step whose files are known beforehand, or known to `isRead` once it is done. A failed step runs again. */
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

/** A step that reports the files it reads, through a function passed to `work`. */
export function createTrackedStep<T>(work: (read: Set<string>) => Promise<T>): BuildStep<T> {
  let read = new Set<string>();
  return createStep(
    () => work((read = new Set())),
    (path) => read.has(path),
  );
}
