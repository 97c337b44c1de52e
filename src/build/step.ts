/** A step of a build, which `bun run dev` does again only where a file that it reads has changed. */

/** The step's result. `changed`: the paths changed since the last call; undefined if any may have changed. */
export type Step<T> = (changed?: readonly string[]) => Promise<T>;

/** A step whose files are known beforehand, or known to `isRead` once it is done. A failed step runs again. */
export function step<T>(work: () => Promise<T>, isRead: (path: string) => boolean): Step<T> {
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
export function notedStep<T>(work: (read: Set<string>) => Promise<T>): Step<T> {
  let read = new Set<string>();
  return step(
    () => work((read = new Set())),
    (path) => read.has(path),
  );
}
