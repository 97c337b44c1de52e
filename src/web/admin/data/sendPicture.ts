/** Sends pictures and what is said of them; fetched when the first is added or opened. */
import { CallFailed } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";
import { drafts, type DraftState } from "./drafts.ts";
import type { Upload } from "./uploads.ts";
import { entityQuery } from "./useEntity.ts";
import { itemPath, refresh, updateItem } from "./writes.ts";

/** What the owner can say of an upload. */
export type UploadWords = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

/** Saves what was said of an upload, and leaves the rest as somebody else may have said it. Throws CallFailed. */
export function saveWords(id: string, words: Partial<UploadWords>): Promise<Upload> {
  return updateItem("uploads", id, words);
}

/** Puts a picture in the place of an upload, everywhere. Resolves to the new one; throws CallFailed. */
export async function replaceUpload(
  { id, url }: Upload,
  picture: File,
  onProgress: (share: number) => void,
): Promise<Upload> {
  const path = `${itemPath("uploads", id)}/replace`;
  const before = new Map(
    Object.entries(drafts.value).map(([id, draft]) => [id, storedUnder(draft)]),
  );
  const upload = await withSession(() => send(path, picture, onProgress));
  // Any section may have shown it.
  await queryClient.invalidateQueries({ refetchType: "all" });
  const swapped = (value: unknown) => JSON.stringify(value).replaceAll(url, upload.url);
  // What is typed and not saved yet follows: its pictures, and the state it was typed over.
  const carried = Object.entries(drafts.value).map(([id, draft]) => {
    const [was, is] = [before.get(id), storedUnder(draft)];
    // Nobody else has changed it in the meantime.
    const isOurs = was && is && swapped(was.value) === JSON.stringify(is.value);
    const etag = isOurs && draft.etag === was.etag ? is.etag : draft.etag;
    return [id, { ...draft, changes: JSON.parse(swapped(draft.changes)), etag }];
  });
  drafts.value = Object.fromEntries(carried);
  return upload;
}

/** What was read last of that which a draft is typed over. */
const storedUnder = ({ key, parent }: DraftState) =>
  queryClient.getQueryData(entityQuery(key, parent).queryKey);

/**
 * Sends the file; `onProgress` gets shares from 0 to 1 (fetch can't tell). Throws CallFailed with the server's words,
 * and an AbortError when `signal` is aborted.
 */
export async function uploadFile(
  file: File,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Upload> {
  const upload = await withSession(() => send("/api/upload", file, onProgress, signal));
  await refresh("uploads");
  return upload;
}

function send(
  path: string,
  file: File,
  onProgress?: (share: number) => void,
  signal?: AbortSignal,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append("file", file);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status < 300) resolve(answer as Upload);
      else reject(new CallFailed(wordsIn(answer), request.status, answer));
    });
    request.addEventListener("error", () => reject(new TypeError("Failed to upload file")));
    request.addEventListener("abort", () => reject(new DOMException("Cancelled", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.send(body);
  });
}

function wordsIn(answer: Record<string, unknown>): string {
  return typeof answer["error"] === "string" ? answer["error"] : "Upload failed";
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** How far a file is: "Sending, 120 of 480 KB", then what the server does with it. */
export const sendingWords = (sent: number, total: number) =>
  sent < total ? `Sending, ${kilobytes(sent)} of ${kilobytes(total)} KB` : "Making its sizes...";

/** What is filled of the bar; nothing while the server works, since nobody knows how long that takes. */
export const shareSent = (sent: number, total: number): number | undefined =>
  sent < total ? sent / total : undefined;

const kilobytes = (bytes: number) => Math.round(bytes / 1024);
