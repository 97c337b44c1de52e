/** Adds files one by one: shrunk, uploaded, and listed with the result. */
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
import { toastError, toastSuccess } from "../../ui/messages.ts";
import { FileRefused, uploadFailure, uploadFile, type UploadStep } from "./uploadPicture.ts";
import type { Upload } from "./uploads.ts";

let lastId = 0;

/** Adds files at a place. Rows of files added there before disappear, refused ones remain. */
export function addPictures(
  source: string,
  files: readonly File[],
  onAdded: ((upload: Upload) => void) | undefined,
): void {
  const isOver = addingsOf(source).every((each) => !isUploading(each));
  const earlier = pendingUploads.value.filter(
    (each) => !isOver || each.source !== source || isRefused(each),
  );
  const state = { step: "waiting" } as const;
  const added = files.map((file): PendingUpload => ({
    id: ++lastId,
    source,
    file,
    onAdded,
    state,
  }));
  pendingUploads.value = [...earlier, ...added];
  for (const each of added) void add(each);
}

/** Retries a refused file. */
export function retryUpload(adding: PendingUpload): void {
  note(adding.id, { step: "waiting" });
  void add(adding);
}

async function add(adding: PendingUpload): Promise<void> {
  const { id, source, file, onAdded } = adding;
  const canceled = new AbortController();
  const stopWatching = pendingUploads.subscribe(() => isPending(id) || canceled.abort());
  const onStep = (state: UploadStep, picture?: File) =>
    change(id, picture ? { state, picture } : { state });
  try {
    const uploaded = await uploadFile(file, { onStep, signal: canceled.signal });
    note(id, { step: "added", ...uploaded });
    if (uploaded.isUnchanged) toastSuccess(`${UPLOADED}. ${STILLED}`);
    onAdded?.(uploaded.upload);
  } catch (error) {
    if (canceled.signal.aborted) return;
    refuse(id, error);
  } finally {
    stopWatching();
  }
  sayWhenOver(source);
}

function refuse(id: number, error: unknown): void {
  const reason = uploadFailure(error, FAILED);
  // A file that the server refused would be refused again; a broken connection may recover.
  const final = error instanceof FileRefused || (error instanceof CallFailed && error.status < 500);
  note(id, { step: "refused", reason, again: !final });
  toastError(reason);
}

const FAILED = "Failed to upload file";
const UPLOADED = "File uploaded successfully";

const wasAnimated = ({ state }: PendingUpload) => state.step === "added" && state.isUnchanged;

/** One toast after the last file; none if any was refused or stilled, so that it isn't missed. */
function sayWhenOver(source: string): void {
  const all = addingsOf(source);
  if (all.some(isUploading) || all.some(isRefused) || all.some(wasAnimated) || all.length === 0)
    return;
  toastSuccess(UPLOADED);
}

const isPending = (id: number) => pendingUploads.value.some((each) => each.id === id);

const note = (id: number, state: AddingState) => change(id, { state });

function change(id: number, to: Partial<PendingUpload>): void {
  pendingUploads.value = pendingUploads.value.map((each) =>
    each.id === id ? { ...each, ...to } : each,
  );
}
