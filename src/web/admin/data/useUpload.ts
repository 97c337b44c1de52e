/** Uploads one file where there is no list of uploads. */
import { useState } from "react";
import { FIRST_FRAME_ONLY_MESSAGE } from "../../../schema/pictures/uploadLimits.ts";
import { toastSuccess } from "../../ui/messages.ts";
import { useAction } from "../../ui/useAction.ts";
import { describeUploadFailure, uploadFile, type UploadStep } from "./uploadPicture.ts";
import type { Upload } from "./uploads.ts";

interface UseUploadOptions {
  readonly replaces?: Upload;
  /** The toast after an upload. Without it, a toast appears only if an animation was reduced to one frame. */
  readonly success?: string;
  readonly failure: string;
  /** Replaces the toast about a failure. */
  readonly show?: (reason: string) => void;
}

/** `step` is undefined while nothing is being sent. */
export function useUpload(
  onUploaded: (upload: Upload) => void,
  { replaces, success, failure, show }: UseUploadOptions,
): { readonly step: UploadStep | undefined; readonly send: (file: File) => void } {
  const [step, setStep] = useState<UploadStep>();
  const [, send] = useAction(
    async (file: File) => {
      setStep({ step: "shrinking" });
      const { upload, isUnchanged } = await uploadFile(file, { replaces, onStep: setStep });
      if (isUnchanged)
        toastSuccess(`${success ?? "File uploaded successfully"}. ${FIRST_FRAME_ONLY_MESSAGE}`);
      else if (success !== undefined) toastSuccess(success);
      onUploaded(upload);
    },
    {
      failure: (error) => describeUploadFailure(error, failure),
      onSettled: () => setStep(undefined),
      ...(show && { show }),
    },
  );
  return { step, send };
}
