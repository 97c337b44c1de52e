/** Files being added, from anywhere in the dashboard; addPictures.ts adds them. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import type { UploadedFile, UploadStep } from "./uploadPicture.ts";
import type { Upload } from "./uploads.ts";

/** A file's progress. */
export type UploadProgress =
  | UploadStep
  | (UploadedFile & { readonly step: "added" })
  /** `again`: a retry may succeed. */
  | { readonly step: "refused"; readonly reason: string; readonly again: boolean };

/** One file; `source` is the place where it was chosen, `onAdded` gets the stored upload. */
export interface PendingUpload {
  readonly id: number;
  readonly source: string;
  readonly file: File;
  readonly onAdded?: ((upload: Upload) => void) | undefined;
  /** The file uploaded instead, once it is made. */
  readonly picture?: File;
  readonly state: UploadProgress;
}

/** All files not dismissed, in the order chosen. */
export const pendingUploads = signal<readonly PendingUpload[]>([]);

const createSourceFilter = (source: string) => (each: PendingUpload) => each.source === source;

/** Files of one place. */
export const usePendingUploads = (source: string): readonly PendingUpload[] =>
  useSignalValue(pendingUploads).filter(createSourceFilter(source));

/** Like `usePendingUploads`, outside of rendering. */
export const pendingUploadsOf = (source: string) =>
  pendingUploads.value.filter(createSourceFilter(source));

export const isUploading = ({ state: { step } }: PendingUpload) =>
  step !== "added" && step !== "refused";

export const isRefused = ({ state: { step } }: PendingUpload) => step === "refused";

/** Removes rows, and cancels their uploads; only those that `which` returns true for. */
export function dismissUploads(
  source: string,
  which: (adding: PendingUpload) => boolean = () => true,
): void {
  const dismissed = pendingUploadsOf(source).filter(which);
  pendingUploads.value = pendingUploads.value.filter((each) => !dismissed.includes(each));
}
