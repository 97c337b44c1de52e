/** An uploaded file in the grid: picture, name, size, uses and actions. */
import Download from "lucide-react/icons/download";
import Eye from "lucide-react/icons/eye";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { formatFileSize, type Upload } from "../data/uploads.ts";
import { useDeletePictureQuestion } from "../editor/DeletePicture.tsx";
import { Thumbnail } from "../parts/UploadPicture.tsx";

/** `onEdit` opens the picture editor, optionally with the focus on a field. */
interface FileTileProps {
  readonly file: Upload;
  readonly onEdit: (first?: "alt") => void;
}

export function FileTile({ file, onEdit }: FileTileProps) {
  const [confirmDelete, question] = useDeletePictureQuestion(file);
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
        <span className="file-size meta tabular quiet small justify-between row">
          {formatFileSize(file.size)}
          {isMissingDescription(file) && (
            <button
              type="button"
              className="file-no-description link note"
              data-tone="warn"
              aria-label={`Add description for ${name}`}
              onClick={() => onEdit("alt")}
            >
              Add description
            </button>
          )}
        </span>
      </div>
      <FileActions file={file} onDelete={confirmDelete} />
      {question}
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
