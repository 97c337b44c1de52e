/** The Files tab (spec section 2): upload, look, download, delete. */
import Download from "lucide-react/icons/download";
import Eye from "lucide-react/icons/eye";
import FolderOpen from "lucide-react/icons/folder-open";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import { deleteFile, fileSize } from "../data/deleteFile.ts";
import { thumbnailOf, type Upload, useUploads } from "../data/uploads.ts";
import { useEntity } from "../data/useEntity.ts";
import { adoptStyles } from "../parts/adoptStyles.ts";
import { Card, TabHead } from "../parts/Card.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import filesCss from "../styles/files.css" with { type: "text" };
import { DropArea, UploadRow, useUploading } from "./Uploading.tsx";

// One file: what it looks like, where it is used, View, Download and Delete.

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

adoptStyles(filesCss);

/** Shows the drop area, what is on its way, and every file. */
export function FilesTab() {
  const read = useEntity("uploads");
  const { files = [] } = useUploads();
  const { running, add, cancel } = useUploading();
  return (
    <>
      <TabHead title="Files" note="The pictures of your site." />
      <div className="stack">
        <DropArea onFiles={add} busy={running.length > 0} />
        {running.length > 0 && (
          <ul className="uploading" aria-label="Uploads">
            {running.map((upload) => (
              <UploadRow key={upload.id} upload={upload} onCancel={() => cancel(upload.id)} />
            ))}
          </ul>
        )}
        <Card title="All files" note={read.value?.length} className="plain">
          <WhenRead of={read} what="files">
            {() =>
              files.length === 0 ? (
                <EmptyState
                  icon={FolderOpen}
                  title="No files uploaded yet. Upload your first file above."
                />
              ) : (
                <ul className="files">
                  {files.map((file) => (
                    <FileTile key={file.id} file={file} />
                  ))}
                </ul>
              )
            }
          </WhenRead>
        </Card>
      </div>
    </>
  );
}
