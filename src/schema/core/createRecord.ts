/** `Object.fromEntries` with typed keys. The entries must include every key of `K`, which the compiler can't check. */
export function createRecord<K extends string, V>(
  entries: Iterable<readonly [K, V]>,
): Readonly<Record<K, V>> {
  return Object.fromEntries(entries) as Record<K, V>;
}
