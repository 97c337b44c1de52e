/** Who is told of each stored write, by the name of the entity. */
export class ChangeListeners {
  readonly #listeners = new Set<(name: string) => void>();

  constructor(readonly log: (line: string) => void) {}

  /** Returns what ends it. */
  add(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One that throws neither undoes the write nor keeps it from the others. */
  announce(name: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(name);
      } catch (error) {
        this.log(`storage: a listener failed after a write of ${name} (${String(error)})`);
      }
    }
  }
}
