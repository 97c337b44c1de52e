/** Several entities changed at once, by whoever uses the store. */

/** What takes part in a transaction does one thing after the other, and all of it or nothing. */
export class Steps {
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** `target`, whose every call is a step. */
  of<C extends object>(target: C): C {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) =>
          this.#step(() => Reflect.apply(member, target, given) as Promise<unknown>);
      },
    });
  }

  /** Throws what one of the steps threw, also where `work` passed over it: the database takes nothing after it. */
  async all<R>(work: Promise<R>): Promise<R> {
    const outcome = await work.then(
      (result) => () => result,
      (error: unknown) => () => {
        throw error;
      },
    );
    await this.#last;
    this.#isOver = true;
    if (this.#failure) throw this.#failure.error;
    return outcome();
  }

  #step(work: () => Promise<unknown>): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error("The transaction is over."));
    const done = this.#last.then(() => {
      if (this.#failure) throw this.#failure.error;
      return work();
    });
    this.#last = done.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    return done;
  }
}
