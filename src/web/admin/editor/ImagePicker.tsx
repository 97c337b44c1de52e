/** Lets the user choose an uploaded image, or upload another one. */
import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import Crop from "lucide-react/icons/crop";
import LoaderCircle from "lucide-react/icons/loader-circle";
import UploadIcon from "lucide-react/icons/upload";
import { type AriaAttributes, type ReactNode, useEffect, useState } from "react";
import { UPLOAD_TYPES } from "../../../schema/pictures/uploadLimits.ts";
import { Button } from "../../ui/Button.tsx";
import { dismissUploads, isUploading, usePendingUploads } from "../data/pendingUploads.ts";
import { filterImages, type Upload, useUploads } from "../data/uploads.ts";
import { PendingUploads } from "../parts/PendingUploads.tsx";
import { addPicturesLazily } from "../parts/ChooseFiles.tsx";
import { Thumbnail } from "../parts/Thumbnail.tsx";
import { LoadError, Skeleton } from "../../ui/AsyncContent.tsx";
import { LazyPictureEditor } from "./LazyPictureEditor.tsx";

/** `value` is the chosen image's URL, or null for no image. */
export interface ImagePickerProps {
  readonly id: string;
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (url: string | null) => void;
  readonly emptyTexts?: readonly [string, string] | undefined;
  /** The label of the tile for no image. Default: no such tile, so an image must be chosen. */
  readonly noneLabel?: string | undefined;
  readonly ariaProps?: AriaAttributes | undefined;
  /** Images of this kind are listed first. Default: photos. */
  readonly firstKind?: Upload["kind"];
  /** The text on the chosen tile, such as "Active". Default: a check mark. */
  readonly chosenLabel?: string;
}

export function ImagePicker(props: ImagePickerProps) {
  const { id, label, value, onChange, emptyTexts = EMPTY_TEXTS, noneLabel, chosenLabel } = props;
  const { firstKind = "photo" } = props;
  const { files, error, reload } = useUploads();
  const [editedId, setEditedId] = useState<string | null>(null);
  if (error) return <LoadError subject="the images" onRetry={reload} />;
  if (!files) return <Skeleton height="5.5rem" />;
  const images = filterImages(files).toSorted(
    (one, other) => Number(other.kind === firstKind) - Number(one.kind === firstKind),
  );
  const chosenImage = images.find((file) => file.url === value);
  const renderTile = (url: string | null, name: string, picture: ReactNode) => (
    <label key={url ?? "none"} className="option tile">
      <input
        type="radio"
        name={id}
        aria-label={name}
        checked={value === url}
        onChange={() => onChange(url)}
      />
      <span className="tile-picture well">{picture}</span>
      <span className="badge">
        {chosenLabel ?? <Check size={14} strokeWidth={3} aria-hidden="true" />}
      </span>
    </label>
  );
  return (
    <>
      {images.length === 0 && (
        <p className="gap-4 stack quiet small mb-16">
          <strong>{emptyTexts[0]}</strong>
          <span>{emptyTexts[1]}</span>
        </p>
      )}
      <TileGroup label={label} ariaProps={props.ariaProps}>
        <UploadTile areaId={id} onUploaded={(upload) => onChange(upload.url)} />
        {noneLabel !== undefined &&
          renderTile(null, noneLabel, <NoPictureTile label={noneLabel} />)}
        {images.map((file) => renderTile(file.url, file.originalName, <Thumbnail file={file} />))}
      </TileGroup>
      <PendingUploads areaId={id} />
      {chosenImage?.kind === "photo" && (
        <Button className="mt-12" onClick={() => setEditedId(chosenImage.id)}>
          <Crop size={16} aria-hidden="true" /> Crop image
        </Button>
      )}
      {editedId !== null && (
        <LazyPictureEditor
          id={editedId}
          onReplaced={(replacementId, url) => {
            setEditedId(replacementId);
            onChange(url);
          }}
          onClose={() => setEditedId(null)}
        />
      )}
    </>
  );
}

interface TileGroupProps extends Pick<ImagePickerProps, "label" | "ariaProps"> {
  readonly children: ReactNode;
}

/** The group can be focused by scripts, since a form focuses its first refused field. */
const TileGroup = ({ label, ariaProps, children }: TileGroupProps) => (
  <div
    className="tiles auto-grid"
    role="radiogroup"
    tabIndex={-1}
    aria-label={label}
    {...ariaProps}
  >
    {children}
  </div>
);

const EMPTY_TEXTS = [
  "No images available",
  "Upload images in the File Management tab first",
] as const;

function NoPictureTile({ label }: { label: string }) {
  return (
    <span className="tile-empty stack gap-4 note quiet" aria-hidden="true">
      <Ban size={16} /> {label}
    </span>
  );
}

function UploadTile({
  areaId,
  onUploaded,
}: {
  areaId: string;
  onUploaded: (upload: Upload) => void;
}) {
  const isBusy = usePendingUploads(areaId).some(isUploading);
  useEffect(() => () => dismissUploads(areaId, (each) => !isUploading(each)), [areaId]);
  const chooseUpload = (upload: Upload) => {
    // The uploaded image now has a tile, so its progress row is removed.
    dismissUploads(areaId, ({ state }) => state.step === "added");
    onUploaded(upload);
  };
  return (
    <label className="option tile tile-upload row quiet note" data-busy={isBusy || undefined}>
      <input
        type="file"
        accept={UPLOAD_TYPES.join(",")}
        aria-disabled={isBusy || undefined}
        onClick={(event) => isBusy && event.preventDefault()}
        onChange={({ target }) => {
          void addPicturesLazily(areaId, [...(target.files ?? [])], chooseUpload);
          target.value = "";
        }}
      />
      {isBusy ? (
        <LoaderCircle size={16} className="spin" />
      ) : (
        <UploadIcon size={16} aria-hidden="true" />
      )}
      Upload image
    </label>
  );
}
