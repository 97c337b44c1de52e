/** Object.fromEntries with typed keys. */

/** `entries` must include every key of `K`, as those made from the list that `K` is derived from do. */
export function recordFrom<K extends string, V>(
  entries: Iterable<readonly [K, V]>,
): Readonly<Record<K, V>> {
  return Object.fromEntries(entries) as Record<K, V>;
}
