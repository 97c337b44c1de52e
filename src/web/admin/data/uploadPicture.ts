/** Prepares and uploads pictures: upright and small enough; loaded with the first one added or opened. */
import pLimit from "p-limit";
import {
  isStilled,
  pictureKind,
  type PictureKind,
  SIGNATURE_BYTES,
} from "../../../schema/pictures/pictureSignature.ts";
import {
  MAX_UPLOAD_BYTES,
  FILE_TOO_LARGE_MESSAGE,
  unreadableHere,
  UPLOAD_TYPES,
  WRONG_TYPE_MESSAGE,
  wrongTypeOf,
} from "../../../schema/pictures/uploadLimits.ts";
import { CallFailed } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";
import { drafts, type DraftState } from "./drafts.ts";
import type { ShrinkRequest } from "./pictureWorker.ts";
import { PICTURE_WORKER } from "./pictureWorkerUrl.ts";
import { shrinkPicture } from "./shrinkPicture.ts";
import type { Upload } from "./uploads.ts";
import { entityQuery } from "./useEntity.ts";
import { itemPath, refresh, updateItem } from "./writes.ts";

/** A refused file, with the specification's message (section 5.6). */
export class FileRefused extends Error {}

/** Smaller files of an accepted type are sent as they are. */
const SMALL = 512 * 1024;

/** What is sent for a chosen file. */
export interface Prepared {
  /** It may be the file itself. */
  readonly picture: File;
  /** Whether the file is an animation of which only the first frame is kept. */
  readonly isStill: boolean;
}

/**
 * Prepares a file for sending, by its content: names and types are often missing or wrong. `onTurn` is called when it
 * is about to be shrunk.
 * @throws {FileRefused} For files that aren't an accepted picture, and for those still over 5 MB.
 */
export async function preparePicture(file: File, onTurn?: () => void): Promise<Prepared> {
  const start = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const kind = pictureKind(start);
  return { picture: await sendable(file, kind, onTurn), isStill: isStilled(start) };
}

async function sendable(
  file: File,
  kind: PictureKind | undefined,
  onTurn?: () => void,
): Promise<File> {
  if (!kind) {
    const isImage = (UPLOAD_TYPES as readonly string[]).includes(file.type);
    throw new FileRefused(
      isImage && file.size > MAX_UPLOAD_BYTES ? FILE_TOO_LARGE_MESSAGE : WRONG_TYPE_MESSAGE,
    );
  }
  const mayStay = (UPLOAD_TYPES as readonly string[]).includes(kind);
  // GIFs may be animated; a canvas is not.
  if (mayStay && (file.size <= SMALL || kind === "image/gif")) return within(file);
  const picture = await shrink({ picture: typed(file, kind), mayStay }, onTurn);
  // The server may read what this browser can't.
  if (!picture && mayStay) return within(file);
  if (!picture) throw new FileRefused(wrongTypeOf(kind, unreadableHere));
  return within(picture instanceof File ? picture : renamed(picture, file.name));
}

/** The file with its true type, since some browsers believe it. */
const typed = (file: File, type: string) =>
  file.type === type ? file : new File([file], file.name, { type });

function within(file: File): File {
  if (file.size > MAX_UPLOAD_BYTES) throw new FileRefused(FILE_TOO_LARGE_MESSAGE);
  return file;
}

/** Renamed for its type: `IMG_2041.heic` becomes `IMG_2041.webp`. */
function renamed(picture: Blob, name: string): File {
  const ending = picture.type.replace(/^image\/(?:jpeg$)?/, "") || "jpg";
  return new File([picture], `${name.replace(/\.\w{1,5}$/, "")}.${ending}`, { type: picture.type });
}

let worker: Worker | undefined;

/** One picture at a time: drawing a large one takes 200 MB of memory. */
const inShrinkingTurn = pLimit(1);

const shrink = (request: ShrinkRequest, onTurn?: () => void): Promise<Blob | undefined> =>
  inShrinkingTurn(() => {
    onTurn?.();
    if (PICTURE_WORKER && "Worker" in globalThis && "OffscreenCanvas" in globalThis)
      return byWorker(PICTURE_WORKER, request).catch(() => onPage(request));
    return onPage(request);
  });

function byWorker(address: string, request: ShrinkRequest): Promise<Blob | undefined> {
  worker ??= new Worker(address);
  const asked = worker;
  const listening = new AbortController();
  const { signal } = listening;
  return new Promise<Blob | undefined>((resolve, reject) => {
    const answer = ({ data }: MessageEvent<Blob | undefined>) =>
      // A file comes back as a copy.
      resolve(data instanceof File ? (request.picture as File) : data);
    const end = (event: ErrorEvent) => {
      event.preventDefault();
      worker = undefined;
      reject(new Error("worker ended"));
    };
    asked.addEventListener("message", answer, { signal });
    asked.addEventListener("error", end, { signal });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a window.
    asked.postMessage(request);
  }).finally(() => listening.abort());
}

function onPage({ picture, mayStay }: ShrinkRequest): Promise<Blob | undefined> {
  return shrinkPicture(picture, mayStay, canvasElement).catch(() => undefined);
}

const canvasElement = (width: number, height: number) =>
  Object.assign(document.createElement("canvas"), { width, height });

/** An upload's fields that the owner edits. */
export type UploadFields = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

/** Saves these fields of an upload; others, which somebody else may change, stay. Throws CallFailed. */
export function saveUploadFields(id: string, fields: Partial<UploadFields>): Promise<Upload> {
  return updateItem("uploads", id, fields);
}

/** Replaces an upload everywhere. Resolves to the new one; throws CallFailed. */
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
  // Any section may show it.
  await queryClient.invalidateQueries({ refetchType: "all" });
  const swapped = (value: unknown) => JSON.stringify(value).replaceAll(url, upload.url);
  // Unsaved drafts follow: their pictures, and their base.
  const carried = Object.entries(drafts.value).map(([id, draft]) => {
    const [was, is] = [before.get(id), storedUnder(draft)];
    // Nobody else changed it in the meantime.
    const isOurs = was && is && swapped(was.value) === JSON.stringify(is.value);
    const etag = isOurs && draft.etag === was.etag ? is.etag : draft.etag;
    return [id, { ...draft, changes: JSON.parse(swapped(draft.changes)), etag }];
  });
  drafts.value = Object.fromEntries(carried);
  return upload;
}

/** The last read base of a draft. */
const storedUnder = ({ key, parent }: DraftState) =>
  queryClient.getQueryData(entityQuery(key, parent).queryKey);

/**
 * Uploads the file; `onProgress` gets shares from 0 to 1 (fetch has no progress). Throws CallFailed with the server's
 * message, and an AbortError once `signal` aborts.
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
      else reject(new CallFailed(messageIn(answer), request.status, answer));
    });
    request.addEventListener("error", () => reject(new TypeError("Failed to upload file")));
    request.addEventListener("abort", () => reject(new DOMException("Canceled", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.send(body);
  });
}

function messageIn(answer: Record<string, unknown>): string {
  return typeof answer["error"] === "string" ? answer["error"] : "Upload failed";
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A file's progress: "Uploading, 120 of 480 KB", then the server's work. */
export const formatProgress = (sent: number, total: number) =>
  sent < total ? `Uploading, ${kilobytes(sent)} of ${kilobytes(total)} KB` : "Processing...";

/** The filled share of the bar; undefined while the server works, which takes an unknown time. */
export const uploadedShare = (sent: number, total: number): number | undefined =>
  sent < total ? sent / total : undefined;

const kilobytes = (bytes: number) => Math.round(bytes / 1024);
