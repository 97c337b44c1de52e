/** What something is made of: all that was read for it, and whether it would be read the same now. */

export interface Readings {
  /** Reads; `how` is asked again later. What it returns is told apart by its JSON. */
  read<T>(how: () => T): T;
  /** False as soon as one of them would say something else than it did. */
  areStill(): boolean;
}

/** Readings of one thing that is about to be made. */
export function readings(): Readings {
  const known: { readonly how: () => unknown; readonly said: number | bigint }[] = [];
  return {
    read(how) {
      const value = how();
      known.push({ how, said: markOf(value) });
      return value;
    },
    areStill: () => known.every(({ how, said }) => markOf(how()) === said),
  };
}

const markOf = (value: unknown) => Bun.hash(JSON.stringify(value) ?? "");
