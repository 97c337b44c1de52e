/** Listeners to stored writes, by entity name. */
export class ChangeListeners {
  readonly #listeners = new Set<(name: string) => void>();

  constructor(readonly log: (line: string) => void) {}

  /** Returns a function that removes the listener. */
  add(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls all listeners. An error in one listener is logged; it neither undoes the write nor stops the other listeners.
   */
  notifyAll(name: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(name);
      } catch (error) {
        this.log(`storage: a listener failed after a write of ${name} (${String(error)})`);
      }
    }
  }
}
