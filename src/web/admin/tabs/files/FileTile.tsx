/** One file: what it looks like, where it is used, View, Download and Delete. */
import Download from "lucide-react/icons/download";
import Eye from "lucide-react/icons/eye";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { thumbnailOf, type Upload } from "../../queries/useUploads.ts";
import { deleteFile } from "./deleteFile.ts";
import { fileSize } from "./fileSize.ts";

/** Renders the tile. Deleting a file in use says where and asks; any other offers Undo. */
export function FileTile({ file }: { file: Upload }) {
  const [asking, setAsking] = useState(false);
  const { originalName: name, usedIn = [] } = file;
  const remove = () => (usedIn.length > 0 ? setAsking(true) : void deleteFile(file));
  return (
    <li className="file">
      <div className="file-picture">
        <img src={thumbnailOf(file)} data-tone={file.tone} alt="" loading="lazy" decoding="async" />
        {usedIn.length > 0 && <span className="file-use">In {usedIn.join(", ")}</span>}
      </div>
      <div className="file-words">
        <span className="file-name" title={name}>
          {name}
        </span>
        <span className="file-size">{fileSize(file.size)}</span>
      </div>
      <div className="file-actions">
        <a href={file.url} target="_blank" rel="noopener" aria-label={`View ${name}`} title="View">
          <Eye size={16} aria-hidden="true" />
        </a>
        <a href={file.url} download={name} aria-label={`Download ${name}`} title="Download">
          <Download size={16} aria-hidden="true" />
        </a>
        <button type="button" aria-label={`Delete ${name}`} title="Delete" onClick={remove}>
          <Trash2 size={16} aria-hidden="true" />
        </button>
      </div>
      <ConfirmDialog
        open={asking}
        title={`Delete “${name}”?`}
        keep="Keep file"
        confirm="Delete file"
        onKeep={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void deleteFile(file);
        }}
      >
        <p className="quiet">
          It is used in {usedIn.join(", ")}. That place will be without a picture.
        </p>
      </ConfirmDialog>
    </li>
  );
}
