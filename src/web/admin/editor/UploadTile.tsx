/** The last tile of a picture picker: uploads one and chooses it. */
import LoaderCircle from "lucide-react/icons/loader-circle";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { UPLOAD_TYPES } from "../../../schema/uploads.ts";
import { toastError, toastFailure } from "../queries/toasts.ts";
import type { Upload } from "../queries/useUploads.ts";
import { uploadFile, wrongWith } from "./uploadFile.ts";

/** Renders the tile; `onUploaded` gets what the server stored. */
export function UploadTile({ onUploaded }: { onUploaded: (upload: Upload) => void }) {
  const [share, setShare] = useState<number | null>(null);
  const send = async (file: File | undefined) => {
    const wrong = file && wrongWith(file);
    if (wrong) return toastError(wrong);
    if (!file) return;
    setShare(0);
    try {
      onUploaded(await uploadFile(file, { onProgress: setShare }));
    } catch (error) {
      toastFailure(error, "Failed to upload file");
    } finally {
      setShare(null);
    }
  };
  const busy = share !== null;
  return (
    <label className="tile tile-upload" data-busy={busy || undefined}>
      <input
        type="file"
        accept={UPLOAD_TYPES.join(",")}
        disabled={busy}
        onChange={({ target }) => {
          void send(target.files?.[0]);
          target.value = "";
        }}
      />
      {busy ? <LoaderCircle size={16} className="spin" /> : <Plus size={16} />}
      {busy ? `${Math.round(share * 100)} %` : "Upload"}
    </label>
  );
}
