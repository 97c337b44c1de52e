/** The uploaded files: what is known of them, and sending another. */
import type { Item } from "../../../schema/index.ts";
import { type Pictures, variantUrl } from "../../../schema/pictures.ts";
import { MAX_UPLOAD_BYTES, TOO_LARGE, UPLOAD_TYPES, WRONG_TYPE } from "../../../schema/uploads.ts";
import { CallFailed } from "../../shared/api.ts";
import { withSession } from "./client.ts";
import { useEntity } from "./useEntity.ts";
import { refresh } from "./writes.ts";

/** An upload as the dashboard lists it; `usedIn` names the sections that show it. */
export type Upload = Item<"uploads"> & { readonly usedIn?: readonly string[] };

/** Every upload, newest first. */
export function useUploads() {
  const { value, ...read } = useEntity("uploads");
  const files = value && [...value].sort(newestFirst);
  return { ...read, files: files as Upload[] | undefined };
}

/** Only files that can be shown as a picture. */
export function imagesAmong(files: readonly Upload[]): Upload[] {
  return files.filter((file) => file.mimetype.startsWith("image/"));
}

/** The smallest variant of an upload, for tiles. */
export function thumbnailOf({ url, widths }: Upload): string {
  const smallest = widths?.[0];
  return smallest === undefined ? url : variantUrl(url, smallest);
}

/** What a page needs to know of the pictures, by address. */
export function picturesOf(files: readonly Upload[]): Pictures {
  return Object.fromEntries(
    files.map((file) => [file.url, { ...file, widths: file.widths ?? [] }]),
  );
}

function newestFirst(a: Item<"uploads">, b: Item<"uploads">): number {
  return (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || b.id.localeCompare(a.id);
}

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** "312.4 KB" for a number of bytes: B, KB, MB or GB with one decimal place. */
export function fileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}

/** What is wrong with a file before it is sent, in the words of the specification. */
export function wrongWith(file: File): string | undefined {
  if (file.size > MAX_UPLOAD_BYTES) return TOO_LARGE;
  return (UPLOAD_TYPES as readonly string[]).includes(file.type) ? undefined : WRONG_TYPE;
}

/**
 * Sends the file; `onProgress` gets shares from 0 to 1 (fetch can't tell). Throws CallFailed with the server's words,
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
  return typeof answer["error"] === "string" ? answer["error"] : "Upload failed";
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
