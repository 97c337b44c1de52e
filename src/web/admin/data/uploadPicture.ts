/** Prepares and uploads pictures. Loaded when the first picture is added or opened. */
import pLimit from "p-limit";
import {
  losesAnimation,
  detectPictureType,
  type PictureType,
  SIGNATURE_BYTES,
} from "../../../schema/pictures/pictureSignature.ts";
import {
  MAX_UPLOAD_BYTES,
  FILE_TOO_LARGE_MESSAGE,
  createUnreadableFormatAdvice,
  UPLOAD_TYPES,
  WRONG_TYPE_MESSAGE,
  createWrongTypeMessage,
  FIRST_FRAME_ONLY_MESSAGE,
} from "../../../schema/pictures/uploadLimits.ts";
import { CallError, parseJson } from "../../shared/api.ts";
import { getFailureMessage, toastSuccess } from "../../ui/messages.ts";
import { runUpload } from "./activeUploads.ts";
import { queryClient, retryWithSession } from "./client.ts";
import { drafts, type DraftState } from "./drafts.ts";
import type { ShrinkRequest } from "./pictureWorker.ts";
import { PICTURE_WORKER_URL } from "./pictureWorkerUrl.ts";
import { shrinkPicture } from "./shrinkPicture.ts";
import type { Upload } from "./uploads.ts";
import { createEntityQuery } from "./useEntity.ts";
import { getItemPath, refetchEntity, updateItem } from "./entityWrites.ts";
import { useState } from "react";
import { useAction } from "../../ui/useAction.ts";

/** The error for a file that can't be uploaded, with the specification's message (section 5.6). */
export class FileRefusedError extends Error {}

/** The size limit of files that are sent without shrinking. */
const MAX_UNSHRUNK_BYTES = 512 * 1024;

interface PreparedFile {
  readonly picture: File;
  /** True if the server will store only the animation's first frame. */
  readonly losesAnimation: boolean;
}

/**
 * Prepares a file for upload. The file's type is detected from its content, since names and declared types are often
 * wrong. `onStart` is called before the file is shrunk.
 * @throws {FileRefusedError} For files that aren't an accepted picture, and for pictures still over 5 MB.
 */
async function preparePicture(file: File, onStart: () => void): Promise<PreparedFile> {
  const firstBytes = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const kind = detectPictureType(firstBytes);
  return {
    picture: await prepareForUpload(file, kind, onStart),
    losesAnimation: losesAnimation(firstBytes),
  };
}

async function prepareForUpload(
  file: File,
  kind: PictureType | undefined,
  onStart: () => void,
): Promise<File> {
  if (!kind) {
    const isImage = (UPLOAD_TYPES as readonly string[]).includes(file.type);
    throw new FileRefusedError(
      isImage && file.size > MAX_UPLOAD_BYTES ? FILE_TOO_LARGE_MESSAGE : WRONG_TYPE_MESSAGE,
    );
  }
  const isAcceptedType = (UPLOAD_TYPES as readonly string[]).includes(kind);
  // GIFs aren't shrunk, since a canvas would reduce an animation to one frame.
  if (isAcceptedType && (file.size <= MAX_UNSHRUNK_BYTES || kind === "image/gif"))
    return assertWithinLimit(file);
  const picture = await queueShrinking(
    { picture: setFileType(file, kind), canReturnOriginal: isAcceptedType },
    onStart,
  );
  // The server may still be able to read the picture.
  if (!picture && isAcceptedType) return assertWithinLimit(file);
  if (!picture)
    throw new FileRefusedError(createWrongTypeMessage(kind, createUnreadableFormatAdvice));
  return assertWithinLimit(picture instanceof File ? picture : renameForType(picture, file.name));
}

/** Some browsers can't read a picture whose declared type is wrong. */
const setFileType = (file: File, type: string) =>
  file.type === type ? file : new File([file], file.name, { type });

function assertWithinLimit(file: File): File {
  if (file.size > MAX_UPLOAD_BYTES) throw new FileRefusedError(FILE_TOO_LARGE_MESSAGE);
  return file;
}

/** Returns a file with its new extension: `IMG_2041.heic` becomes `IMG_2041.webp`. */
function renameForType(picture: Blob, name: string): File {
  const extension = picture.type.replace(/^image\/(?:jpeg$)?/, "") || "jpg";
  return new File([picture], `${name.replace(/\.\w{1,5}$/, "")}.${extension}`, {
    type: picture.type,
  });
}

let worker: Worker | undefined;

/** One picture at a time, since drawing a large picture takes 200 MB of memory. */
const shrinkQueue = pLimit(1);

const queueShrinking = (request: ShrinkRequest, onStart: () => void): Promise<Blob | undefined> =>
  shrinkQueue(() => {
    onStart();
    if (PICTURE_WORKER_URL && "Worker" in globalThis && "OffscreenCanvas" in globalThis)
      return shrinkInWorker(PICTURE_WORKER_URL, request).catch(() => shrinkOnPage(request));
    return shrinkOnPage(request);
  });

function shrinkInWorker(url: string, request: ShrinkRequest): Promise<Blob | undefined> {
  worker ??= new Worker(url);
  const currentWorker = worker;
  const abortController = new AbortController();
  const { signal } = abortController;
  return new Promise<Blob | undefined>((resolve, reject) => {
    const handleResponse = ({ data }: MessageEvent<Blob | undefined>) =>
      // A returned File is only a copy of the original.
      resolve(data instanceof File ? (request.picture as File) : data);
    const handleError = (event: ErrorEvent) => {
      event.preventDefault();
      worker = undefined;
      reject(new Error("worker ended"));
    };
    currentWorker.addEventListener("message", handleResponse, { signal });
    currentWorker.addEventListener("error", handleError, { signal });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a window.
    currentWorker.postMessage(request);
  }).finally(() => abortController.abort());
}

function shrinkOnPage({ picture, canReturnOriginal }: ShrinkRequest): Promise<Blob | undefined> {
  return shrinkPicture(picture, canReturnOriginal, createCanvasElement).catch(() => undefined);
}

const createCanvasElement = (width: number, height: number) =>
  Object.assign(document.createElement("canvas"), { width, height });

export type UploadFields = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

export const pickUploadFields = (upload: Upload): UploadFields => {
  const { originalName, alt, decorative, kind, focus, cuts } = upload;
  return { originalName, alt, decorative, kind, focus, cuts };
};

/** Saves only the given fields, so that other people's changes to other fields are kept. Throws CallError. */
export function saveUploadFields(id: string, fields: Partial<UploadFields>): Promise<Upload> {
  return updateItem("uploads", id, fields);
}

/** `sent` and `total` are in bytes. */
export type UploadStep =
  | { readonly step: "waiting" | "shrinking" }
  | { readonly step: "sending"; readonly sent: number; readonly total: number };

interface UploadOptions {
  /** The upload that the file replaces wherever it is used. Default: none. */
  readonly replacedUpload?: Upload | undefined;
  readonly onStep: (step: UploadStep, picture?: File) => void;
  readonly signal?: AbortSignal;
}

/** `size` is in bytes; `isFirstFrameOnly` is true if only an animation's first frame was stored. */
export interface UploadedFile {
  readonly upload: Upload;
  readonly size: number;
  readonly isFirstFrameOnly: boolean;
}

/** Two files at a time: the server can process one while the other is being sent. */
const sendQueue = pLimit(2);

/**
 * Prepares and sends a file.
 * @throws {FileRefusedError} For files that can't be uploaded.
 * @throws {CallError} With the server's message.
 * @throws {DOMException} Named AbortError, once the upload is canceled.
 */
export const uploadFile = (file: File, options: UploadOptions): Promise<UploadedFile> =>
  runUpload((signal) => prepareAndSend(file, { ...options, signal }), options.signal);

export const isCancellation = (error: unknown) =>
  error instanceof DOMException && error.name === "AbortError";

async function prepareAndSend(file: File, options: UploadOptions): Promise<UploadedFile> {
  const { replacedUpload, onStep, signal } = options;
  const { picture, losesAnimation } = await preparePicture(file, () =>
    onStep({ step: "shrinking" }),
  );
  onStep({ step: "waiting" }, picture);
  const total = picture.size;
  const onProgress = (share: number) =>
    onStep({ step: "sending", sent: Math.round(share * total), total });
  const upload = await sendQueue(() => {
    signal?.throwIfAborted();
    onProgress(0);
    const send = (path: string) =>
      retryWithSession(() => sendFile(path, picture, onProgress, signal));
    return replacedUpload ? replaceUpload(replacedUpload, send) : addUpload(send);
  });
  return { upload, size: total, isFirstFrameOnly: losesAnimation };
}

type SendToPath = (path: string) => Promise<Upload>;

async function addUpload(send: SendToPath): Promise<Upload> {
  const upload = await send("/api/upload");
  await refetchEntity("uploads");
  return upload;
}

async function replaceUpload({ id, url }: Upload, send: SendToPath): Promise<Upload> {
  const basesBefore = new Map(
    Object.entries(drafts.value).map(([id, draft]) => [id, getCachedBase(draft)]),
  );
  const upload = await send(`${getItemPath("uploads", id)}/replace`);
  await queryClient.invalidateQueries({ refetchType: "all" });
  const replaceUrl = (value: unknown) => JSON.stringify(value).replaceAll(url, upload.url);
  // Drafts get the new URL. They also get the new ETag, unless somebody else changed their entity as well.
  const updatedEntries = Object.entries(drafts.value).map(([id, draft]) => {
    const [baseBefore, baseNow] = [basesBefore.get(id), getCachedBase(draft)];
    const isBaseOtherwiseUnchanged =
      baseBefore && baseNow && replaceUrl(baseBefore.value) === JSON.stringify(baseNow.value);
    const etag =
      isBaseOtherwiseUnchanged && draft.etag === baseBefore.etag ? baseNow.etag : draft.etag;
    return [id, { ...draft, changes: JSON.parse(replaceUrl(draft.changes)), etag }];
  });
  drafts.value = Object.fromEntries(updatedEntries);
  return upload;
}

const getCachedBase = ({ key, parent }: DraftState) =>
  queryClient.getQueryData(createEntityQuery(key, parent).queryKey);

/** Sends a file with XMLHttpRequest, since fetch doesn't report progress. `onProgress` gets a number from 0 to 1. */
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
    const fail = () => reject(new TypeError("Failed to upload file"));
    request.addEventListener("load", () => {
      const body = parseJson(request.responseText);
      if (request.status >= 300)
        reject(new CallError(parseErrorMessage(body), request.status, body));
      else if (isUpload(body)) resolve(body);
      else fail();
    });
    request.addEventListener("error", fail);
    request.addEventListener("abort", () => reject(new DOMException("Canceled", "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.send(body);
  });
}

/** Returns false for other responses, such as the login page of a hotel's network. */
const isUpload = (body: object): body is Upload => "id" in body && "url" in body;

function parseErrorMessage(body: Record<string, unknown>): string {
  return typeof body["error"] === "string" ? body["error"] : "Upload failed";
}

/** Returns a text such as "Uploading, 120 of 480 KB". */
export function describeStep(progress: UploadStep): string {
  if (progress.step !== "sending")
    return progress.step === "waiting" ? "Waiting..." : "Resizing...";
  const [sent, total] = [progress.sent, progress.total].map((bytes) => Math.round(bytes / 1024));
  return progress.sent < progress.total ? `Uploading, ${sent} of ${total} KB` : "Processing...";
}

/** Returns a number from 0 to 1. Undefined while the file is shrunk or processed, which takes an unknown time. */
export const getUploadedShare = (progress: UploadStep): number | undefined =>
  progress.step === "sending" && progress.sent < progress.total
    ? progress.sent / progress.total
    : undefined;

export const describeUploadFailure = (error: unknown, fallback: string): string =>
  error instanceof FileRefusedError ? error.message : getFailureMessage(error, fallback);

interface UseUploadOptions {
  readonly replacedUpload?: Upload;
  /** The toast after an upload. Default: a toast only if an animation was reduced to one frame. */
  readonly success?: string;
  readonly failure: string;
  /** Shows why the upload failed. Default: a toast. */
  readonly showFailure?: (reason: string) => void;
}

/** Returns `send`, which uploads a file, and the upload's `step`. `step` is undefined without an upload. */
export function useUpload(
  onUploaded: (upload: Upload) => void,
  { replacedUpload, success, failure, showFailure }: UseUploadOptions,
): { readonly step: UploadStep | undefined; readonly send: (file: File) => void } {
  const [step, setStep] = useState<UploadStep>();
  const [, send] = useAction(
    async (file: File) => {
      setStep({ step: "shrinking" });
      const { upload, isFirstFrameOnly } = await uploadFile(file, {
        replacedUpload,
        onStep: setStep,
      });
      if (isFirstFrameOnly)
        toastSuccess(`${success ?? "File uploaded successfully"}. ${FIRST_FRAME_ONLY_MESSAGE}`);
      else if (success !== undefined) toastSuccess(success);
      onUploaded(upload);
    },
    {
      failure: (error) => describeUploadFailure(error, failure),
      onSettled: () => setStep(undefined),
      showFailure: (reason, error) => {
        if (isCancellation(error)) return true;
        showFailure?.(reason);
        return showFailure !== undefined;
      },
    },
  );
  return { step, send };
}
