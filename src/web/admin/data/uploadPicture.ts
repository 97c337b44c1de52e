/** Prepares and uploads pictures: upright and small enough; loaded with the first one added or opened. */
import pLimit from "p-limit";
import {
  isFlattenedAnimation,
  detectPictureKind,
  type PictureKind,
  SIGNATURE_BYTES,
} from "../../../schema/pictures/pictureSignature.ts";
import {
  MAX_UPLOAD_BYTES,
  FILE_TOO_LARGE_MESSAGE,
  unreadableFormatAdvice,
  UPLOAD_TYPES,
  WRONG_TYPE_MESSAGE,
  wrongTypeMessage,
} from "../../../schema/pictures/uploadLimits.ts";
import { CallError, parseJson } from "../../shared/api.ts";
import { getFailureMessage } from "../../ui/messages.ts";
import { queryClient, retryWithSession } from "./client.ts";
import { drafts, type DraftState } from "./drafts.ts";
import type { ShrinkRequest } from "./pictureWorker.ts";
import { PICTURE_WORKER_URL } from "./pictureWorkerUrl.ts";
import { shrinkPicture } from "./shrinkPicture.ts";
import type { Upload } from "./uploads.ts";
import { createEntityQuery } from "./useEntity.ts";
import { itemPath, refetchEntity, updateItem } from "./writes.ts";

/** A refused file, with the specification's message (section 5.6). */
export class FileRefusedError extends Error {}

/** Smaller files of an accepted type are sent as they are. */
const MAX_UNSHRUNK_BYTES = 512 * 1024;

/** The file sent for a chosen one. */
interface PreparedFile {
  /** It may be the file itself. */
  readonly picture: File;
  /** Whether the file is an animation of which only the first frame is stored. */
  readonly wasAnimated: boolean;
}

/**
 * Prepares a file for sending, by its content: names and types are often missing or wrong. `onTurn` is called when it
 * is about to be shrunk.
 * @throws {FileRefusedError} For files that aren't an accepted picture, and for those still over 5 MB.
 */
async function preparePicture(file: File, onTurn: () => void): Promise<PreparedFile> {
  const start = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const kind = detectPictureKind(start);
  return {
    picture: await prepareForUpload(file, kind, onTurn),
    wasAnimated: isFlattenedAnimation(start),
  };
}

async function prepareForUpload(
  file: File,
  kind: PictureKind | undefined,
  onTurn: () => void,
): Promise<File> {
  if (!kind) {
    const isImage = (UPLOAD_TYPES as readonly string[]).includes(file.type);
    throw new FileRefusedError(
      isImage && file.size > MAX_UPLOAD_BYTES ? FILE_TOO_LARGE_MESSAGE : WRONG_TYPE_MESSAGE,
    );
  }
  const mayStay = (UPLOAD_TYPES as readonly string[]).includes(kind);
  // GIFs may be animated; a canvas is not.
  if (mayStay && (file.size <= MAX_UNSHRUNK_BYTES || kind === "image/gif"))
    return assertWithinLimit(file);
  const picture = await shrinkInTurn(
    { picture: setFileType(file, kind), canReturnOriginal: mayStay },
    onTurn,
  );
  // The server may read what this browser can't.
  if (!picture && mayStay) return assertWithinLimit(file);
  if (!picture) throw new FileRefusedError(wrongTypeMessage(kind, unreadableFormatAdvice));
  return assertWithinLimit(picture instanceof File ? picture : renameForType(picture, file.name));
}

/** The file with its true type, since some browsers believe it. */
const setFileType = (file: File, type: string) =>
  file.type === type ? file : new File([file], file.name, { type });

function assertWithinLimit(file: File): File {
  if (file.size > MAX_UPLOAD_BYTES) throw new FileRefusedError(FILE_TOO_LARGE_MESSAGE);
  return file;
}

/** Renamed for its type: `IMG_2041.heic` becomes `IMG_2041.webp`. */
function renameForType(picture: Blob, name: string): File {
  const ending = picture.type.replace(/^image\/(?:jpeg$)?/, "") || "jpg";
  return new File([picture], `${name.replace(/\.\w{1,5}$/, "")}.${ending}`, { type: picture.type });
}

let worker: Worker | undefined;

/** One picture at a time: drawing a large one takes 200 MB of memory. */
const shrinkQueue = pLimit(1);

const shrinkInTurn = (request: ShrinkRequest, onTurn: () => void): Promise<Blob | undefined> =>
  shrinkQueue(() => {
    onTurn();
    if (PICTURE_WORKER_URL && "Worker" in globalThis && "OffscreenCanvas" in globalThis)
      return shrinkInWorker(PICTURE_WORKER_URL, request).catch(() => shrinkOnPage(request));
    return shrinkOnPage(request);
  });

function shrinkInWorker(address: string, request: ShrinkRequest): Promise<Blob | undefined> {
  worker ??= new Worker(address);
  const currentWorker = worker;
  const listening = new AbortController();
  const { signal } = listening;
  return new Promise<Blob | undefined>((resolve, reject) => {
    const answer = ({ data }: MessageEvent<Blob | undefined>) =>
      // A file is returned as a copy.
      resolve(data instanceof File ? (request.picture as File) : data);
    const end = (event: ErrorEvent) => {
      event.preventDefault();
      worker = undefined;
      reject(new Error("worker ended"));
    };
    currentWorker.addEventListener("message", answer, { signal });
    currentWorker.addEventListener("error", end, { signal });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a window.
    currentWorker.postMessage(request);
  }).finally(() => listening.abort());
}

function shrinkOnPage({ picture, canReturnOriginal }: ShrinkRequest): Promise<Blob | undefined> {
  return shrinkPicture(picture, canReturnOriginal, createCanvasElement).catch(() => undefined);
}

const createCanvasElement = (width: number, height: number) =>
  Object.assign(document.createElement("canvas"), { width, height });

/** An upload's fields that the owner edits. */
export type UploadFields = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

/**
 * Saves these fields of an upload; others, which somebody else may change, are unchanged. Throws CallError.
 */
export function saveUploadFields(id: string, fields: Partial<UploadFields>): Promise<Upload> {
  return updateItem("uploads", id, fields);
}

/** A file's progress. `sent` and `total` are bytes. */
export type UploadStep =
  | { readonly step: "waiting" | "shrinking" }
  | { readonly step: "sending"; readonly sent: number; readonly total: number };

interface UploadOptions {
  /** The upload to replace everywhere; by default another is added. */
  readonly replaces?: Upload | undefined;
  readonly onStep: (step: UploadStep, picture?: File) => void;
  readonly signal?: AbortSignal;
}

/**
 * A stored file: its upload, the bytes that were sent, and whether only an animation's first frame was
 * stored.
 */
export interface UploadedFile {
  readonly upload: Upload;
  readonly size: number;
  readonly isUnchanged: boolean;
}

/** A phone's upstream is slow: while one file uploads, the server processes the one before. */
const sendQueue = pLimit(2);

/**
 * Prepares a file and sends it.
 * @throws {FileRefusedError} For what can't be uploaded.
 * @throws {CallError} With the server's message.
 * @throws {DOMException} Named AbortError, once `signal` aborts.
 */
export async function uploadFile(file: File, options: UploadOptions): Promise<UploadedFile> {
  const { replaces, onStep, signal } = options;
  const { picture, wasAnimated } = await preparePicture(file, () => onStep({ step: "shrinking" }));
  onStep({ step: "waiting" }, picture);
  const total = picture.size;
  const onProgress = (share: number) =>
    onStep({ step: "sending", sent: Math.round(share * total), total });
  const upload = await sendQueue(() => {
    signal?.throwIfAborted();
    onProgress(0);
    const send = (path: string) =>
      retryWithSession(() => sendFile(path, picture, onProgress, signal));
    return replaces ? replaceUpload(replaces, send) : addUpload(send);
  });
  return { upload, size: total, isUnchanged: wasAnimated };
}

type SendToPath = (path: string) => Promise<Upload>;

async function addUpload(send: SendToPath): Promise<Upload> {
  const upload = await send("/api/upload");
  await refetchEntity("uploads");
  return upload;
}

/** Everything that shows the replaced one shows the new one. */
async function replaceUpload({ id, url }: Upload, send: SendToPath): Promise<Upload> {
  const before = new Map(
    Object.entries(drafts.value).map(([id, draft]) => [id, draftKeyOfList(draft)]),
  );
  const upload = await send(`${itemPath("uploads", id)}/replace`);
  // Any section may show it.
  await queryClient.invalidateQueries({ refetchType: "all" });
  const replaceUrl = (value: unknown) => JSON.stringify(value).replaceAll(url, upload.url);
  // Unsaved drafts follow: their pictures, and their base.
  const carried = Object.entries(drafts.value).map(([id, draft]) => {
    const [was, is] = [before.get(id), draftKeyOfList(draft)];
    // Nobody else changed it in the meantime.
    const isOurs = was && is && replaceUrl(was.value) === JSON.stringify(is.value);
    const etag = isOurs && draft.etag === was.etag ? is.etag : draft.etag;
    return [id, { ...draft, changes: JSON.parse(replaceUrl(draft.changes)), etag }];
  });
  drafts.value = Object.fromEntries(carried);
  return upload;
}

/** The last read base of a draft. */
const draftKeyOfList = ({ key, parent }: DraftState) =>
  queryClient.getQueryData(createEntityQuery(key, parent).queryKey);

/** `onProgress` gets shares from 0 to 1, which fetch has not. */
function sendFile(
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
      const answer = parseJson(request.responseText);
      if (request.status < 300) resolve(answer as Upload);
      else reject(new CallError(parseErrorMessage(answer), request.status, answer));
    });
    request.addEventListener("error", () => reject(new TypeError("Failed to upload file")));
    request.addEventListener("abort", () => reject(new DOMException("Canceled", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.send(body);
  });
}

function parseErrorMessage(answer: Record<string, unknown>): string {
  return typeof answer["error"] === "string" ? answer["error"] : "Upload failed";
}

/** "Uploading, 120 of 480 KB", then the server's work. */
export function describeStep(step: UploadStep): string {
  if (step.step !== "sending") return step.step === "waiting" ? "Waiting..." : "Resizing...";
  const [sent, total] = [step.sent, step.total].map((bytes) => Math.round(bytes / 1024));
  return step.sent < step.total ? `Uploading, ${sent} of ${total} KB` : "Processing...";
}

/** The filled share of the bar; undefined while the file is resized or processed, which takes an unknown time. */
export const getUploadedShare = (step: UploadStep): number | undefined =>
  step.step === "sending" && step.sent < step.total ? step.sent / step.total : undefined;

/** Why a file couldn't be uploaded: the server's message or ours, else `fallback`. */
export const describeUploadFailure = (error: unknown, fallback: string): string =>
  error instanceof FileRefusedError ? error.message : getFailureMessage(error, fallback);
