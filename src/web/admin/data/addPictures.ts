/** Adds files one by one: shrunk, uploaded, and listed with the result. */
import pLimit from "p-limit";
import { STILLED } from "../../../schema/pictures/uploadLimits.ts";
import { CallFailed } from "../../shared/api.ts";
import {
  type PendingUpload,
  type AddingState,
  pendingUploads,
  addingsOf,
  isUploading,
  isRefused,
} from "./pendingUploads.ts";
import { failureMessage, toastError, toastSuccess } from "../../ui/messages.ts";
import { FileRefused, type Prepared, preparePicture, uploadFile } from "./uploadPicture.ts";
import type { Upload } from "./uploads.ts";

/** A phone's upstream is slow: while one file uploads, the server processes the one before. */
const inSendingSlot = pLimit(2);

let lastId = 0;

/** Adds files at a place. Rows of files added there before go, refused ones stay. */
export function addPictures(
  place: string,
  files: readonly File[],
  onAdded: ((upload: Upload) => void) | undefined,
): void {
  const isOver = addingsOf(place).every((each) => !isUploading(each));
  const earlier = pendingUploads.value.filter(
    (each) => !isOver || each.place !== place || isRefused(each),
  );
  const state = { step: "waiting" } as const;
  const added = files.map((file): PendingUpload => ({ id: ++lastId, place, file, onAdded, state }));
  pendingUploads.value = [...earlier, ...added];
  for (const each of added) void add(each);
}

/** Retries a refused file. */
export function retryUpload(adding: PendingUpload): void {
  note(adding.id, { step: "waiting" });
  void add(adding);
}

async function add(adding: PendingUpload): Promise<void> {
  const { id, place, file, onAdded } = adding;
  try {
    const { picture, isStill } = await prepared(id, file);
    change(id, { picture, state: { step: "waiting" } });
    const upload = await inSendingSlot(() => sent(id, picture));
    if (!upload) return;
    note(id, { step: "added", upload, size: picture.size, isStill });
    if (isStill) toastSuccess(`${UPLOADED}. ${STILLED}`);
    onAdded?.(upload);
  } catch (error) {
    refuse(id, error);
  }
  sayWhenOver(place);
}

const prepared = (id: number, file: File): Promise<Prepared> =>
  preparePicture(file, () => note(id, { step: "shrinking" }));

/** Undefined if its row was removed in the meantime. */
async function sent(id: number, picture: File): Promise<Upload | undefined> {
  if (!isThere(id)) return undefined;
  const total = picture.size;
  const onProgress = (share: number) =>
    note(id, { step: "sending", sent: Math.round(share * total), total });
  onProgress(0);
  const abort = new AbortController();
  const stopWatching = pendingUploads.subscribe(() => isThere(id) || abort.abort());
  try {
    return await uploadFile(picture, { onProgress, signal: abort.signal });
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    throw error;
  } finally {
    stopWatching();
  }
}

function refuse(id: number, error: unknown): void {
  const reason = error instanceof FileRefused ? error.message : failureMessage(error, FAILED);
  // A file that the server refused stays refused; a broken connection may recover.
  const final = error instanceof FileRefused || (error instanceof CallFailed && error.status < 500);
  note(id, { step: "refused", reason, again: !final });
  if (isThere(id)) toastError(reason);
}

const FAILED = "Failed to upload file";
const UPLOADED = "File uploaded successfully";

const isStill = ({ state }: PendingUpload) => state.step === "added" && state.isStill;

/** One toast after the last file; none if any was refused or stilled, so that it isn't missed. */
function sayWhenOver(place: string): void {
  const all = addingsOf(place);
  if (all.some(isUploading) || all.some(isRefused) || all.some(isStill) || all.length === 0) return;
  toastSuccess(UPLOADED);
}

const isThere = (id: number) => pendingUploads.value.some((each) => each.id === id);

const note = (id: number, state: AddingState) => change(id, { state });

function change(id: number, to: Partial<PendingUpload>): void {
  pendingUploads.value = pendingUploads.value.map((each) =>
    each.id === id ? { ...each, ...to } : each,
  );
}
