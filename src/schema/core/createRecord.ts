/** Object.fromEntries with typed keys. */

/** `entries` must include every key of `K`: derive both from the same list. */
export function createRecord<K extends string, V>(
  entries: Iterable<readonly [K, V]>,
): Readonly<Record<K, V>> {
  return Object.fromEntries(entries) as Record<K, V>;
}
