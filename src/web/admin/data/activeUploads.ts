/** The uploads in progress in this window. Not in uploadPicture.ts, which is loaded only with the first upload. */

const activeUploads = new Set<AbortController>();

/** Whether leaving the page or logging out would cancel an upload. */
export const hasUploads = () => activeUploads.size > 0;

export function cancelUploads(): void {
  for (const each of activeUploads) each.abort();
  activeUploads.clear();
}

/** Runs an upload that `signal` or `cancelUploads` can cancel. */
export async function runUpload<T>(
  upload: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const abortController = new AbortController();
  signal?.addEventListener("abort", () => abortController.abort());
  activeUploads.add(abortController);
  try {
    return await upload(abortController.signal);
  } finally {
    activeUploads.delete(abortController);
  }
}
