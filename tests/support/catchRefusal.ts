/** Reads why a promise was rejected. */

/** Returns the code, status and message of the rejection. Fails if the promise isn't rejected. */
export async function catchRefusal(
  promise: Promise<unknown>,
): Promise<{ code: unknown; status: unknown; message: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: Error & { code?: unknown; status?: unknown }) => reason,
  );
  if (!error) throw new Error("It was accepted.");
  return { code: error.code, status: error.status, message: error.message };
}
