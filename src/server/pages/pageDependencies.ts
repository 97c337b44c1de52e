/** What a page was made from: records all that is read for it, and tells whether any of it has changed. */

export interface PageDependencies {
  /** Reads with `how`, which runs again in `areUnchanged`. Results are compared by their JSON. */
  read<T>(how: () => T): T;
  /** False as soon as one of the results differs. */
  areUnchanged(): boolean;
}

/** The dependencies of one page. A read that throws, then or later, counts as changed. */
export function pageDependencies(): PageDependencies {
  const known: { readonly how: () => unknown; said: Mark }[] = [];
  return {
    read(how) {
      const reading = { how, said: NEVER as Mark };
      known.push(reading);
      const value = how();
      reading.said = markOf(value);
      return value;
    },
    areUnchanged: () => known.every(isStill),
  };
}

type Mark = number | bigint;

/** Not equal even to itself. */
const NEVER = Number.NaN;

const markOf = (value: unknown): Mark => Bun.hash(JSON.stringify(value) ?? "");

function isStill({ how, said }: { readonly how: () => unknown; readonly said: Mark }): boolean {
  try {
    return markOf(how()) === said;
  } catch {
    return false;
  }
}
