/** Sends one file, telling how far it is (spec section 7, "Files"; fetch can't tell). */
import { MAX_UPLOAD_BYTES, TOO_LARGE, UPLOAD_TYPES, WRONG_TYPE } from "../../../schema/uploads.ts";
import { CallFailed } from "../../api.ts";
import { withSession } from "../queries/session.ts";
import type { Upload } from "../queries/useUploads.ts";
import { refresh } from "../queries/writes.ts";

/** What was wrong when the server gave no words. */
const UPLOAD_FAILED = "Upload failed";

/** What is wrong with a file before it is sent, in the words of spec section 5. */
export function wrongWith(file: File): string | undefined {
  if (file.size > MAX_UPLOAD_BYTES) return TOO_LARGE;
  return (UPLOAD_TYPES as readonly string[]).includes(file.type) ? undefined : WRONG_TYPE;
}

/**
 * Sends the file; `onProgress` gets shares from 0 to 1. Throws CallFailed with the server's words,
 * and an AbortError when `signal` is aborted.
 */
export async function uploadFile(
  file: File,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Upload> {
  const upload = await withSession(() => send(file, onProgress, signal));
  await refresh("uploads");
  return upload;
}

function send(
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
      if (request.status < 300) resolve(answer as unknown as Upload);
      else reject(new CallFailed(wordsIn(answer), request.status, answer));
    });
    request.addEventListener("error", () => reject(new TypeError("Failed to upload file")));
    request.addEventListener("abort", () => reject(new DOMException("Cancelled", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", "/api/upload");
    request.send(body);
  });
}

function wordsIn(answer: Record<string, unknown>): string {
  return typeof answer["error"] === "string" ? answer["error"] : UPLOAD_FAILED;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
