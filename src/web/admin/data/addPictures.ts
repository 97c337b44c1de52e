/** Shrinks and uploads several files. Each file has a row that shows its progress. */
import { FIRST_FRAME_ONLY_MESSAGE } from "../../../schema/pictures/uploadLimits.ts";
import { CallError } from "../../shared/api.ts";
import {
  type PendingUpload,
  type UploadProgress,
  pendingUploads,
  findPendingUploads,
  isUploading,
  isRefused,
} from "./pendingUploads.ts";
import { toastError, toastSuccess } from "../../ui/messages.ts";
import {
  FileRefusedError,
  describeUploadFailure,
  isCancellation,
  uploadFile,
  type UploadStep,
} from "./uploadPicture.ts";
import type { Upload } from "./uploads.ts";

let lastId = 0;

/** Uploads files chosen in the area `areaId`. If all earlier uploads of the area have ended, removes their rows. */
export function addPictures(
  areaId: string,
  files: readonly File[],
  onAdded: ((upload: Upload) => void) | undefined,
): void {
  const hasFinished = findPendingUploads(areaId).every((each) => !isUploading(each));
  const earlier = pendingUploads.value.filter(
    (each) => !hasFinished || each.areaId !== areaId || isRefused(each),
  );
  const state = { step: "waiting" } as const;
  const newUploads = files.map((file): PendingUpload => ({
    id: ++lastId,
    areaId,
    file,
    onAdded,
    state,
  }));
  pendingUploads.value = [...earlier, ...newUploads];
  for (const each of newUploads) void uploadPending(each);
}

export function retryUpload(upload: PendingUpload): void {
  updateState(upload.id, { step: "waiting" });
  void uploadPending(upload);
}

async function uploadPending(pendingUpload: PendingUpload): Promise<void> {
  const { id, areaId, file, onAdded } = pendingUpload;
  const abortController = new AbortController();
  const stopWatching = pendingUploads.subscribe(() => isListed(id) || abortController.abort());
  const onStep = (state: UploadStep, picture?: File) =>
    patchPendingUpload(id, picture ? { state, picture } : { state });
  try {
    const uploadedFile = await uploadFile(file, { onStep, signal: abortController.signal });
    updateState(id, { step: "added", ...uploadedFile });
    if (uploadedFile.isFirstFrameOnly)
      toastSuccess(`${UPLOADED_MESSAGE}. ${FIRST_FRAME_ONLY_MESSAGE}`);
    // The toast depends on all rows of the area, and `onAdded` may remove this row.
    showToastWhenDone(areaId);
    onAdded?.(uploadedFile.upload);
  } catch (error) {
    if (isCancellation(error)) return removeRow(id);
    markRefused(id, error);
  } finally {
    stopWatching();
  }
}

function markRefused(id: number, error: unknown): void {
  const reason = describeUploadFailure(error, UPLOAD_FAILED_MESSAGE);
  // A retry is useless if the file itself was refused. Other failures may be temporary.
  const isFinal =
    error instanceof FileRefusedError ||
    (error instanceof CallError && FILE_REFUSAL_STATUSES.includes(error.status));
  updateState(id, { step: "refused", reason, canRetry: !isFinal });
  toastError(reason);
}

/** The HTTP statuses with which the site or a proxy refuses the file itself. */
const FILE_REFUSAL_STATUSES = [400, 413, 415, 422];

const UPLOAD_FAILED_MESSAGE = "Failed to upload file";
const UPLOADED_MESSAGE = "File uploaded successfully";

const isStoredCompletely = ({ state }: PendingUpload) =>
  state.step === "added" && !state.isFirstFrameOnly;

/** Shows one toast after the area's last file, unless a row reports a refusal or a lost animation. */
function showToastWhenDone(areaId: string): void {
  const uploads = findPendingUploads(areaId);
  if (uploads.length > 0 && uploads.every(isStoredCompletely)) toastSuccess(UPLOADED_MESSAGE);
}

function removeRow(id: number): void {
  pendingUploads.value = pendingUploads.value.filter((each) => each.id !== id);
}

const isListed = (id: number) => pendingUploads.value.some((each) => each.id === id);

const updateState = (id: number, state: UploadProgress) => patchPendingUpload(id, { state });

function patchPendingUpload(id: number, change: Partial<PendingUpload>): void {
  pendingUploads.value = pendingUploads.value.map((each) =>
    each.id === id ? { ...each, ...change } : each,
  );
}
