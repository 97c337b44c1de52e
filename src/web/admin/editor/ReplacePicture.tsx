/** Puts another picture in the place of one, everywhere at once. */
import ImageUp from "lucide-react/icons/image-up";
import { useState } from "react";
import { toastError, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { replaceUpload, sendingWords } from "../data/sendPicture.ts";
import type { Upload } from "../data/uploads.ts";
import { ChooseFiles } from "../parts/ChooseFiles.tsx";

interface ReplacePictureProps {
  readonly upload: Upload;
  readonly onReplaced: (id: string, url: string) => void;
}

/** Its words, cuts and places stay; the picture before can be put back where deleted files can. */
export function ReplacePicture({ upload, onReplaced }: ReplacePictureProps) {
  const [progress, setProgress] = useState<string>();
  const replace = async (file: File) => {
    const { FileRefused, preparePicture } = await import("../data/preparePicture.ts");
    setProgress("Making it smaller...");
    try {
      const picture = await preparePicture(file);
      const onProgress = (share: number) =>
        setProgress(sendingWords(share * picture.size, picture.size));
      const { id, url } = await replaceUpload(upload, picture, onProgress);
      toastSuccess("Picture replaced everywhere");
      onReplaced(id, url);
    } catch (error) {
      if (error instanceof FileRefused) toastError(error.message);
      else toastFailure(error, "Failed to replace picture");
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <ChooseFiles
      disabled={progress !== undefined}
      onFiles={([file]) =>
        file && void replace(file).catch(() => toastError("Failed to replace picture"))
      }
    >
      <ImageUp size={16} aria-hidden="true" /> {progress ?? "Replace"}
    </ChooseFiles>
  );
}
