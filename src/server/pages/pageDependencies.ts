/** What something is made of: all that was read for it, and whether it would be read the same now. */

export interface PageDependencies {
  /** Reads; `how` is asked again later. What it returns is told apart by its JSON. */
  read<T>(how: () => T): T;
  /** False as soon as one of them would say something else than it did. */
  areUnchanged(): boolean;
}

/** The dependencies of one thing that is about to be made. What can't be read, then or now, is never the same. */
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

/** Not even itself. */
const NEVER = Number.NaN;

const markOf = (value: unknown): Mark => Bun.hash(JSON.stringify(value) ?? "");

function isStill({ how, said }: { readonly how: () => unknown; readonly said: Mark }): boolean {
  try {
    return markOf(how()) === said;
  } catch {
    return false;
  }
}
