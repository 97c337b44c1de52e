/** A map for keys that strangers choose. Beyond `max` entries, a new entry evicts the one that was set longest ago. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.size > this.#max ? this.entries().take(1) : [];
    if (oldest) this.delete(oldest[0]);
    return this;
  }
}
