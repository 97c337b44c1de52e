/** The Files tab: upload, find, view, edit, download, delete. */
import { toSearchText } from "../../../schema/core/boundedUnicode.ts";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import FolderOpen from "lucide-react/icons/folder-open";
import UploadIcon from "lucide-react/icons/upload";
import { type DragEvent, useState } from "react";
import { isUploading, usePendingUploads } from "../data/pendingUploads.ts";
import { type Upload, useUploads, formatFileSize } from "../data/uploads.ts";
import { useEntity } from "../data/useEntity.ts";
import { LazyPictureEditor } from "../editor/LazyPictureEditor.tsx";
import { PendingUploads } from "../parts/PendingUploads.tsx";
import { TabHead } from "../parts/Card.tsx";
import { addPicturesLazily, ChooseFilesButton } from "../parts/ChooseFiles.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import css from "./FilesTab.css" with { type: "text" };
import Download from "lucide-react/icons/download";
import Eye from "lucide-react/icons/eye";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { usePictureDeletionQuestion } from "../editor/DeletePicture.tsx";
import { Thumbnail } from "../parts/Thumbnail.tsx";

/** Identifies this tab's uploads, which continue while other tabs are open. */
const UPLOAD_SOURCE = "files";

export function FilesTab() {
  useStylesheet(css);
  const uploadsQuery = useEntity("uploads");
  const { files = [] } = useUploads();
  const isBusy = usePendingUploads(UPLOAD_SOURCE).some(isUploading);
  return (
    <>
      <TabHead title="Files" note="The images on your site." />
      <div className="stack gap-16">
        <DropArea
          onFiles={(chosenFiles) => void addPicturesLazily(UPLOAD_SOURCE, chosenFiles)}
          isBusy={isBusy}
        />
        <PendingUploads areaId={UPLOAD_SOURCE} />
        <section>
          <header className="row mb-16">
            <h3>All files</h3>
            {uploadsQuery.value && <span className="faint small">{uploadsQuery.value.length}</span>}
          </header>
          <AsyncContent state={uploadsQuery} subject="files">
            {() =>
              files.length === 0 ? (
                <div className="card">
                  <EmptyState
                    icon={FolderOpen}
                    title="No files uploaded yet. Upload your first file above."
                  />
                </div>
              ) : (
                <FileList files={files} />
              )
            }
          </AsyncContent>
        </section>
      </div>
    </>
  );
}

const FILTERS = {
  All: () => true,
  Photos: ({ kind }: Upload) => kind !== "logo",
  Logos: ({ kind }: Upload) => kind === "logo",
  Unused: ({ usedIn = [] }: Upload) => usedIn.length === 0,
} as const;

type Filter = keyof typeof FILTERS;

const FILTER_NAMES = Object.keys(FILTERS) as Filter[];

function FileList({ files }: { files: readonly Upload[] }) {
  const [filter, setFilter] = useState<Filter>("All");
  const [query, setQuery] = useState("");
  const [editedFile, setEditedFile] = useState<{ id: string; focusedField?: "alt" | undefined }>();
  const shownFiles = files.filter((file) => FILTERS[filter](file) && matchesSearch(file, query));
  return (
    <>
      <div className="gap-12 row cluster mb-16">
        <SearchField label="Search names and descriptions" onSearch={setQuery} />
        <SegmentedControl
          label="Filter files"
          options={FILTER_NAMES.map((value) => ({
            value,
            label: value,
            count: files.filter(FILTERS[value]).length,
          }))}
          value={filter}
          onChoose={setFilter}
        />
      </div>
      {shownFiles.length === 0 && (
        <p className="pad quiet">
          {query ? "No files match your search." : "No files match this filter."}
        </p>
      )}
      <ul className="files auto-grid">
        {shownFiles.map((file) => (
          <FileTile
            key={file.id}
            file={file}
            onEdit={(focusedField) => setEditedFile({ id: file.id, focusedField })}
          />
        ))}
      </ul>
      {editedFile && (
        <LazyPictureEditor
          {...editedFile}
          onReplaced={(id) => setEditedFile({ id })}
          onClose={() => setEditedFile(undefined)}
        />
      )}
    </>
  );
}

function matchesSearch({ originalName, alt }: Upload, query: string): boolean {
  return toSearchText(`${originalName} ${alt ?? ""}`).includes(toSearchText(query));
}

interface DropAreaProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly isBusy: boolean;
}

function DropArea({ onFiles, isBusy }: DropAreaProps) {
  const { isDraggedOver, dropHandlers } = useFileDrop(onFiles);
  return (
    <div
      className="drop-area gap-12 row cluster"
      data-over={isDraggedOver || undefined}
      {...dropHandlers}
    >
      <span className="well center quiet">
        <UploadIcon size={20} aria-hidden="true" />
      </span>
      <div className="title-note grow quiet">
        <strong>{isDraggedOver ? "Drop to upload" : "Add files"}</strong>
        <span>Any photo from your phone works. We'll rotate and resize it for you.</span>
      </div>
      <ChooseFilesButton variant="primary" multiple aria-busy={isBusy} onFiles={onFiles}>
        {isBusy ? "Uploading..." : "Choose files"}
      </ChooseFilesButton>
    </div>
  );
}

function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const handleDragOver = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(true);
  };
  const handleDragLeave = (event: DragEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node)) setDraggedOver(false);
  };
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return {
    isDraggedOver,
    dropHandlers: {
      onDragEnter: handleDragOver,
      onDragOver: handleDragOver,
      onDragLeave: handleDragLeave,
      onDrop: handleDrop,
    },
  };
}

/** `onEdit` opens the picture editor, optionally with the focus on a field. */
interface FileTileProps {
  readonly file: Upload;
  readonly onEdit: (focusedField?: "alt") => void;
}

function FileTile({ file, onEdit }: FileTileProps) {
  const [askToDelete, deletionDialog] = usePictureDeletionQuestion(file);
  const { originalName: name, usedIn = [] } = file;
  return (
    <li className="file card">
      <div className="file-frame">
        <button
          type="button"
          className="file-picture"
          aria-label={`Edit ${name}`}
          onClick={() => onEdit()}
        >
          <Thumbnail file={file} />
          <span className="file-pencil center">
            <Pencil size={14} aria-hidden="true" />
          </span>
        </button>
        {usedIn.length > 0 && (
          <span className="file-use medium note truncate">Used in {usedIn.join(", ")}</span>
        )}
      </div>
      <div className="gap-4 stack pad">
        <span className="medium truncate" title={name}>
          {name}
        </span>
        <span className="file-size cluster quiet small justify-between row">
          {formatFileSize(file.size)}
          {isMissingDescription(file) && (
            <button
              type="button"
              className="file-no-description inline-button note"
              data-tone="warn"
              aria-label={`Add description for ${name}`}
              onClick={() => onEdit("alt")}
            >
              Add description
            </button>
          )}
        </span>
      </div>
      <FileActions file={file} onDelete={askToDelete} />
      {deletionDialog}
    </li>
  );
}

function FileActions({ file, onDelete }: { file: Upload; onDelete: () => void }) {
  const { originalName: name, url } = file;
  return (
    <div className="file-actions border-top">
      <a
        className="center quiet"
        href={url}
        target="_blank"
        rel="noopener"
        aria-label={`View ${name}`}
        title="View"
      >
        <Eye size={16} aria-hidden="true" />
      </a>
      <a
        className="center quiet"
        href={url}
        download={name}
        aria-label={`Download ${name}`}
        title="Download"
      >
        <Download size={16} aria-hidden="true" />
      </a>
      <button
        type="button"
        className="center quiet"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={onDelete}
      >
        <Trash2 size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

function isMissingDescription({ alt, decorative }: Upload): boolean {
  return !alt && !decorative;
}
