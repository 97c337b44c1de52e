/** A button for choosing files. The code that uploads them is loaded with the first file. */
import { type ReactNode, useRef } from "react";
import { UPLOAD_TYPES } from "../../../schema/pictures/uploadLimits.ts";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { toastError } from "../../ui/messages.ts";
import type { Upload } from "../data/uploads.ts";

/** Uploads files, with their progress in the area `areaId`. `onAdded` is called with each stored upload. */
export async function addPicturesLazily(
  areaId: string,
  files: readonly File[],
  onAdded?: (upload: Upload) => void,
): Promise<void> {
  if (files.length === 0) return;
  try {
    const { addPictures: add } = await import("../data/addPictures.ts");
    add(areaId, files, onAdded);
  } catch {
    toastError("Failed to upload file");
  }
}

interface ChooseFilesProps extends ButtonProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly multiple?: boolean;
  readonly inputLabel?: string;
  readonly children: ReactNode;
}

/** Accepts only file types that the site stores, so that phones convert HEIC to JPEG. */
export function ChooseFilesButton(props: ChooseFilesProps) {
  const { onFiles, multiple = false, inputLabel = "Choose files", ...button } = props;
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        multiple={multiple}
        hidden
        aria-label={inputLabel}
        accept={UPLOAD_TYPES.join(",")}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button {...button} onClick={() => inputRef.current?.click()} />
    </>
  );
}
