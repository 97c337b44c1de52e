/** The rows of uploads: their progress and results. Refused files stay until the user dismisses them. */
import type { LucideIcon } from "lucide-react";
import Check from "lucide-react/icons/check";
import FileX from "lucide-react/icons/file-x";
import Image from "lucide-react/icons/image";
import X from "lucide-react/icons/x";
import { useEffect, useState } from "react";
import { FIRST_FRAME_ONLY_MESSAGE } from "../../../schema/pictures/uploadLimits.ts";
import { Button } from "../../ui/Button.tsx";
import {
  type PendingUpload,
  type UploadProgress,
  dismissUploads,
  isUploading,
  isRefused,
  usePendingUploads,
} from "../data/pendingUploads.ts";
import { retryUpload } from "../data/addPictures.ts";
import { describeStep, getUploadedShare, type UploadStep } from "../data/uploadPicture.ts";
import { formatFileSize } from "../data/uploads.ts";
import css from "./PendingUploadRows.css" with { type: "text" };
import { addPicturesLazily, ChooseFilesButton } from "./ChooseFiles.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Thumbnail } from "./Thumbnail.tsx";
import { useStylesheet } from "./useStylesheet.ts";

export function PendingUploadRows({ areaId }: { areaId: string }) {
  useStylesheet(css);
  const rows = usePendingUploads(areaId);
  return (
    <div className="card">
      {rows.length > 1 && <UploadsHead areaId={areaId} rows={rows} />}
      <ul aria-label="Uploads">
        {rows.map((row) => (
          <UploadRow key={row.id} row={row} />
        ))}
      </ul>
    </div>
  );
}

function UploadsHead({ areaId, rows }: { areaId: string; rows: readonly PendingUpload[] }) {
  const uploadingCount = rows.filter(isUploading).length;
  const refusedCount = rows.filter(isRefused).length;
  const addedCount = rows.length - uploadingCount - refusedCount;
  const countTexts = [
    addedCount > 0 && `${addedCount} uploaded`,
    uploadingCount > 0 && `${uploadingCount} uploading`,
    refusedCount > 0 && `${refusedCount} failed`,
  ];
  return (
    <div className="upload-head card-row gap-12 border-bottom row">
      <div className="grow">
        <strong>
          {uploadingCount > 0 ? `Uploading ${rows.length} files` : `${rows.length} files`}
        </strong>
        <p className="quiet small" aria-live="polite">
          {countTexts.filter(Boolean).join(" · ")}
        </p>
      </div>
      <Button
        variant="quiet"
        onClick={() => dismissUploads(areaId, uploadingCount > 0 ? isUploading : undefined)}
      >
        {uploadingCount > 0 ? "Cancel all" : "Done"}
      </Button>
    </div>
  );
}

function UploadRow({ row }: { row: PendingUpload }) {
  const { areaId, file, state } = row;
  const dismissRow = () => dismissUploads(areaId, (each) => each.id === row.id);
  const isInProgress = isUploading(row);
  return (
    <li className="upload-row card-row" data-step={state.step}>
      <UploadThumbnail row={row} />
      <div className="gap-4 stack">
        <span className="medium truncate">{file.name}</span>
        <span className="quiet small" role={state.step === "refused" ? "alert" : undefined}>
          {describeState(state, file)}
        </span>
        {isInProgress && <UploadProgressBar state={state as UploadStep} name={file.name} />}
      </div>
      <div className="upload-actions row">
        {state.step === "added" && (
          <span className="badge" data-tone="ok">
            <Check size={12} strokeWidth={3} aria-hidden="true" /> Uploaded
          </span>
        )}
        {state.step === "refused" &&
          (state.canRetry ? (
            <Button onClick={() => retryUpload(row)}>Retry</Button>
          ) : (
            <ChooseFilesButton
              onFiles={(files) => {
                if (files.length > 0) dismissRow();
                void addPicturesLazily(areaId, files, row.onAdded);
              }}
            >
              Choose another file
            </ChooseFilesButton>
          ))}
        {state.step !== "added" && (
          <IconButton
            icon={X}
            label={`${isInProgress ? "Cancel" : "Dismiss"} ${file.name}`}
            onClick={dismissRow}
          />
        )}
      </div>
    </li>
  );
}

function describeState(state: UploadProgress, file: File): string {
  switch (state.step) {
    case "added": {
      const size = formatFileSize(file.size);
      const sizeText =
        state.size < file.size ? `${size}, reduced to ${formatFileSize(state.size)}` : size;
      return state.isFirstFrameOnly ? `${sizeText}. ${FIRST_FRAME_ONLY_MESSAGE}` : sizeText;
    }
    case "refused":
      return state.reason;
    default:
      return describeStep(state);
  }
}

const UploadProgressBar = ({ state, name }: { state: UploadStep; name: string }) => (
  <progress value={getUploadedShare(state)} max={1} aria-label={`Uploading ${name}`} />
);

/** During the upload, shows the shrunk picture: an original of 48 megapixels would take 200 MB of memory. */
function UploadThumbnail({ row: { picture, state } }: { row: PendingUpload }) {
  if (state.step === "refused") return <UploadIcon icon={FileX} />;
  if (state.step === "added")
    return <Thumbnail file={state.upload} className="well center quiet" />;
  return picture ? <LocalThumbnail picture={picture} /> : <UploadIcon icon={Image} />;
}

/** Shows an icon if the browser can't read the picture. */
function LocalThumbnail({ picture }: { picture: File }) {
  const url = useObjectUrl(picture);
  const [isUnreadable, setIsUnreadable] = useState(false);
  if (isUnreadable) return <UploadIcon icon={FileX} />;
  return (
    <img
      className="well center quiet"
      src={url}
      alt=""
      decoding="async"
      onError={() => setIsUnreadable(true)}
    />
  );
}

const UploadIcon = ({ icon: Icon }: { icon: LucideIcon }) => (
  <span className="well center quiet">
    <Icon size={18} aria-hidden="true" />
  </span>
);

function useObjectUrl(file: File): string {
  const [url] = useState(() => URL.createObjectURL(file));
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return url;
}
