/** The Files tab: upload, look, download, delete. */
import Download from "lucide-react/icons/download";
import Eye from "lucide-react/icons/eye";
import FolderOpen from "lucide-react/icons/folder-open";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import { deleteWithUndo } from "../data/listWrites.ts";
import { fileSize, thumbnailOf, type Upload, useUploads } from "../data/uploads.ts";
import { useEntity } from "../data/useEntity.ts";
import { Card, TabHead } from "../parts/Card.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { WhenRead } from "../parts/WhenRead.tsx";
import css from "./FilesTab.css" with { type: "text" };
import { DropArea, UploadRow, useUploading } from "./Uploading.tsx";

/** The drop area, what is on its way, and every file. */
export function FilesTab() {
  useSheet(css);
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

/** Deleting a file in use says where and asks; any other deletion offers Undo. */
export function FileTile({ file }: { file: Upload }) {
  const [asking, setAsking] = useState(false);
  const { originalName: name, usedIn = [] } = file;
  const remove = () => (usedIn.length > 0 ? setAsking(true) : void deleteWithUndo("uploads", file));
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
          void deleteWithUndo("uploads", file);
        }}
      >
        <p className="quiet">
          It's used in {listed(usedIn)}. {usedIn.length === 1 ? "That section" : "Those sections"}{" "}
          will lose {usedIn.length === 1 ? "its" : "their"} image.
        </p>
      </ConfirmDialog>
    </li>
  );
}

/** "Hero", "Hero and About", "Hero, About and Press". */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
