/** An object from entries whose keys the types know: Object.fromEntries makes plain strings of them. */

/** `entries` name every key of `K`, as they do when they are made of the list that `K` is the type of. */
export function recordFrom<K extends string, V>(
  entries: Iterable<readonly [K, V]>,
): Readonly<Record<K, V>> {
  return Object.fromEntries(entries) as Record<K, V>;
}
