/** Makes of a chosen file what may be sent: checked, upright, small enough. */
import {
  MAX_UPLOAD_BYTES,
  TOO_LARGE,
  UPLOAD_TYPES,
  WRONG_TYPE,
} from "../../../schema/uploadLimits.ts";
import type { ShrinkRequest } from "./pictureWorker.ts";
import { PICTURE_WORKER } from "./pictureWorkerAddress.ts";
import { shrinkPicture } from "./shrinkPicture.ts";

/** What a file was refused for, in the words of the specification (section 5.6). */
export class FileRefused extends Error {}

/** A file of a taken type that is smaller than this is sent as it is, unread. */
const SMALL = 512 * 1024;

/** What phones take and not every browser can read; a file without a type is judged by its ending. */
const OF_PHONES = /^image\/(?:heic|heif|avif)/;
const PHONE_ENDING = /\.(?:heic|heif|avif)$/i;

/**
 * The picture to send in place of `file`, which may be `file` itself; `onTurn` is told when one is made of it, which
 * waits for those before.
 * @throws {FileRefused} For what is no picture the site takes, and for what stays over 5 MB.
 */
export async function preparePicture(file: File, onTurn?: () => void): Promise<File> {
  const mayStay = (UPLOAD_TYPES as readonly string[]).includes(file.type);
  const isPhones = OF_PHONES.test(file.type) || (!file.type && PHONE_ENDING.test(file.name));
  if (!mayStay && !isPhones) throw new FileRefused(WRONG_TYPE);
  // A GIF may move; what is drawn on a canvas stands still.
  if (mayStay && (file.size <= SMALL || file.type === "image/gif")) return within(file);
  const picture = await shrink({ picture: file, mayStay }, onTurn);
  if (picture) return within(picture instanceof File ? picture : renamed(picture, file.name));
  // What this browser can't read, the server may.
  if (mayStay) return within(file);
  throw new FileRefused(`${WRONG_TYPE}. ${UNREAD_PHOTO}`);
}

/** What to do with a photo that a phone keeps in its own way. */
const UNREAD_PHOTO =
  "This browser can't read the photo: choose it on your phone, which hands over a JPEG, or save it as one.";

function within(file: File): File {
  if (file.size > MAX_UPLOAD_BYTES) throw new FileRefused(TOO_LARGE);
  return file;
}

/** Named after what it is now: `IMG_2041.heic` becomes `IMG_2041.webp`. */
function renamed(picture: Blob, name: string): File {
  const ending = picture.type.replace(/^image\/(?:jpeg$)?/, "") || "jpg";
  return new File([picture], `${name.replace(/\.\w{1,5}$/, "")}.${ending}`, { type: picture.type });
}

let worker: Worker | undefined;

/** One picture at a time: a large one takes 200 MB of memory while it is drawn. */
let before: Promise<unknown> = Promise.resolve();

function shrink(request: ShrinkRequest, onTurn?: () => void): Promise<Blob | undefined> {
  const mine = before.then(() => {
    onTurn?.();
    if (PICTURE_WORKER && "Worker" in globalThis && "OffscreenCanvas" in globalThis)
      return byWorker(PICTURE_WORKER, request).catch(() => onPage(request));
    return onPage(request);
  });
  before = mine.catch(() => undefined);
  return mine;
}

function byWorker(address: string, request: ShrinkRequest): Promise<Blob | undefined> {
  worker ??= new Worker(address);
  const asked = worker;
  const heard = new AbortController();
  const { signal } = heard;
  return new Promise<Blob | undefined>((resolve, reject) => {
    const answer = ({ data }: MessageEvent<Blob | undefined>) =>
      // A file comes back as a copy of its own.
      resolve(data instanceof File ? (request.picture as File) : data);
    const end = (event: ErrorEvent) => {
      event.preventDefault();
      worker = undefined;
      reject(new Error("worker ended"));
    };
    asked.addEventListener("message", answer, { signal });
    asked.addEventListener("error", end, { signal });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker is no window.
    asked.postMessage(request);
  }).finally(() => heard.abort());
}

function onPage({ picture, mayStay }: ShrinkRequest): Promise<Blob | undefined> {
  return shrinkPicture(picture, mayStay, canvasElement).catch(() => undefined);
}

const canvasElement = (width: number, height: number) =>
  Object.assign(document.createElement("canvas"), { width, height });
