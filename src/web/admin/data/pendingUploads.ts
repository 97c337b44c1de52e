/** The dashboard's uploads: those in progress, and finished ones that still have a row (addPictures.ts). */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import type { UploadedFile, UploadStep } from "./uploadPicture.ts";
import type { Upload } from "./uploads.ts";

export type UploadProgress =
  | UploadStep
  | (UploadedFile & { readonly step: "added" })
  | { readonly step: "refused"; readonly reason: string; readonly canRetry: boolean };

/** A file and its state. `areaId` identifies the part of the dashboard where the file was chosen. */
export interface PendingUpload {
  readonly id: number;
  readonly areaId: string;
  readonly file: File;
  readonly onAdded?: ((upload: Upload) => void) | undefined;
  /** The shrunk file. */
  readonly picture?: File;
  readonly state: UploadProgress;
}

/** All uploads, in the order in which the files were chosen. */
export const pendingUploads = signal<readonly PendingUpload[]>([]);

const createAreaFilter = (areaId: string) => (each: PendingUpload) => each.areaId === areaId;

export const usePendingUploads = (areaId: string): readonly PendingUpload[] =>
  useSignalValue(pendingUploads).filter(createAreaFilter(areaId));

export const findPendingUploads = (areaId: string) =>
  pendingUploads.value.filter(createAreaFilter(areaId));

export const isUploading = ({ state: { step } }: PendingUpload) =>
  step !== "added" && step !== "refused";

export const isRefused = ({ state: { step } }: PendingUpload) => step === "refused";

/** Cancels uploads and removes their rows. */
export function dismissUploads(
  areaId: string,
  shouldDismiss: (upload: PendingUpload) => boolean = () => true,
): void {
  const dismissed = findPendingUploads(areaId).filter(shouldDismiss);
  pendingUploads.value = pendingUploads.value.filter((each) => !dismissed.includes(each));
}
