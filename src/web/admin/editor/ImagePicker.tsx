/** Chooses an uploaded image, or uploads another. */
import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import Crop from "lucide-react/icons/crop";
import LoaderCircle from "lucide-react/icons/loader-circle";
import UploadIcon from "lucide-react/icons/upload";
import {
  type AriaAttributes,
  type ReactNode,
  useEffect,
  useState,
  type KeyboardEvent,
  useRef,
} from "react";
import { UPLOAD_TYPES } from "../../../schema/pictures/uploadLimits.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton, LoadError } from "../../ui/AsyncContent.tsx";
import { dismissUploads, isUploading, usePendingUploads } from "../data/pendingUploads.ts";
import { filterImages, type Upload, useUploads } from "../data/uploads.ts";
import { PendingUploads } from "../parts/PendingUploads.tsx";
import { addPictures } from "../parts/ChooseFiles.tsx";
import { Thumbnail, UploadPicture } from "../parts/UploadPicture.tsx";
import { LazyPictureEditor } from "./EditPicture.tsx";
import Image from "lucide-react/icons/image";
import X from "lucide-react/icons/x";

/** `value` is the chosen image's URL, or null. */
export interface ImagePickerProps {
  readonly id: string;
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (url: string | null) => void;
  readonly empty?: readonly [string, string] | undefined;
  /** The label of the tile for no image. Without it, an image must be chosen. */
  readonly noneLabel?: string | undefined;
  /** Attributes of the group of tiles. */
  readonly aria?: AriaAttributes;
  /** The kind listed first. */
  readonly kind?: Upload["kind"];
  /** The text on the chosen tile, such as "Active". Default: a check mark. */
  readonly chosenLabel?: string;
}

export function ImagePicker(props: ImagePickerProps) {
  const { id, label, value, onChange, empty = EMPTY_TEXTS, noneLabel, chosenLabel } = props;
  const { kind = "photo" } = props;
  const { files, error, reload } = useUploads();
  const [editing, setEditing] = useState<string | null>(null);
  if (error) return <LoadError subject="the images" onRetry={reload} />;
  if (!files) return <Skeleton height="5.5rem" />;
  const images = filterImages(files).toSorted(
    (one, other) => Number(other.kind === kind) - Number(one.kind === kind),
  );
  const choose = images.find((file) => file.url === value);
  const tile = (url: string | null, name: string, picture: ReactNode) => (
    <label key={url ?? "none"} className="option tile">
      <input
        type="radio"
        className="stretched-input"
        name={id}
        aria-label={name}
        checked={value === url}
        onChange={() => onChange(url)}
      />
      <span className="tile-picture well">{picture}</span>
      <span className="option-mark">
        {chosenLabel ?? <Check size={14} strokeWidth={3} aria-hidden="true" />}
      </span>
    </label>
  );
  return (
    <>
      {images.length === 0 && (
        <p className="gap-4 stack quiet small mb-16">
          <strong>{empty[0]}</strong>
          <span>{empty[1]}</span>
        </p>
      )}
      <div className="tiles auto-grid" role="radiogroup" aria-label={label} {...props.aria}>
        <UploadTile source={id} onUploaded={(upload) => onChange(upload.url)} />
        {noneLabel !== undefined && tile(null, noneLabel, <NoPictureTile label={noneLabel} />)}
        {images.map((file) => tile(file.url, file.originalName, <Thumbnail file={file} />))}
      </div>
      <PendingUploads source={id} />
      {choose?.kind === "photo" && (
        <Button className="mt-12" onClick={() => setEditing(choose.id)}>
          <Crop size={16} aria-hidden="true" /> Crop image
        </Button>
      )}
      {editing !== null && (
        <LazyPictureEditor
          id={editing}
          onReplaced={(replaced, url) => {
            setEditing(replaced);
            onChange(url);
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

/** The texts without images: what is missing, and what to do. */
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
  source,
  onUploaded,
}: {
  source: string;
  onUploaded: (upload: Upload) => void;
}) {
  const busy = usePendingUploads(source).some(isUploading);
  useEffect(() => () => dismissUploads(source, (each) => !isUploading(each)), [source]);
  const chosen = (upload: Upload) => {
    // The tile of the uploaded image replaces its row.
    dismissUploads(source, ({ state }) => state.step === "added");
    onUploaded(upload);
  };
  return (
    <label className="option tile tile-upload row medium quiet small" data-busy={busy || undefined}>
      <input
        type="file"
        className="stretched-input"
        accept={UPLOAD_TYPES.join(",")}
        disabled={busy}
        onChange={({ target }) => {
          void addPictures(source, [...(target.files ?? [])], chosen);
          target.value = "";
        }}
      />
      {busy ? (
        <LoaderCircle size={16} className="spin" />
      ) : (
        <UploadIcon size={16} aria-hidden="true" />
      )}
      Upload image
    </label>
  );
}

/** The chosen image, Choose Image, Remove Image, and the open picker. A choice closes the picker. */
export function FoldedImagePicker(props: ImagePickerProps) {
  const { id, value, onChange } = props;
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    document.getElementById(`${id}-choose`)?.focus();
  };
  return (
    <div className="stack">
      <div className="row cluster">
        {value && <UploadPicture url={value} className="folded-picture well" />}
        <Button
          id={`${id}-choose`}
          aria-expanded={open}
          aria-describedby={props.aria?.["aria-describedby"]}
          onClick={() => setOpen(!open)}
        >
          <Image size={16} aria-hidden="true" /> Choose Image
        </Button>
        {value && (
          <Button variant="quiet" onClick={() => onChange(null)}>
            <X size={16} aria-hidden="true" /> Remove Image
          </Button>
        )}
      </div>
      {open && <ImageChoice {...props} onClose={close} />}
    </div>
  );
}

/** Arrow keys choose tiles while moving, so only a pointer, Space or Enter closes the picker. */
function ImageChoice({ onClose, ...props }: ImagePickerProps & { onClose: () => void }) {
  const means = useRef("");
  const enter = (event: KeyboardEvent) => {
    means.current = event.key;
    if (event.key !== "Enter" || !isRadio(event.target)) return;
    event.preventDefault();
    event.target.click();
    onClose();
  };
  const change = (url: string | null) => {
    props.onChange(url);
    if (!isRadio(document.activeElement)) onClose();
  };
  return (
    <div
      role="presentation"
      onPointerDown={() => (means.current = "pointer")}
      onKeyDown={enter}
      onClick={({ target }) => {
        if (isRadio(target) && ["pointer", " "].includes(means.current)) onClose();
      }}
    >
      <ImagePicker {...props} onChange={change} />
    </div>
  );
}

function isRadio(target: unknown): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === "radio";
}
