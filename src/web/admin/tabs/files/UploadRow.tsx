/** One file on its way: picture, name, share, cancel. */
import X from "lucide-react/icons/x";
import { useEffect, useState } from "react";
import { IconButton } from "../../parts/IconButton.tsx";
import type { Uploading } from "./useUploading.ts";

/** Renders the row. */
export function UploadRow({ upload, onCancel }: { upload: Uploading; onCancel: () => void }) {
  const { file, share } = upload;
  const picture = useObjectUrl(file);
  return (
    <li className="upload-row">
      <img src={picture} alt="" />
      <div className="upload-progress">
        <span className="upload-name">{file.name}</span>
        <span className="upload-share">{Math.round(share * 100)} %</span>
        <progress value={share} max={1} aria-label={`Uploading ${file.name}`} />
      </div>
      <IconButton icon={X} label={`Cancel ${file.name}`} onClick={onCancel} />
    </li>
  );
}

function useObjectUrl(file: File): string {
  const [url] = useState(() => URL.createObjectURL(file));
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return url;
}
