/** Rejects with the error of `createError` if `work` takes longer than `ms`. Doesn't cancel `work`. */
export async function withTimeout<T>(
  work: PromiseLike<T> | T,
  ms: number,
  createError: () => Error,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createError()), ms);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
