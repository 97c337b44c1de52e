/** Chooses one of the uploaded pictures, by looking at them. */
import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import Image from "lucide-react/icons/image";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { UPLOAD_TYPES } from "../../../schema/uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toastError, toastFailure } from "../data/messages.ts";
import {
  imagesAmong,
  thumbnailOf,
  type Upload,
  uploadFile,
  useUploads,
  wrongWith,
} from "../data/uploads.ts";
import { PictureOf } from "../parts/PictureOf.tsx";
import { LoadFailed } from "../parts/WhenRead.tsx";

/** `value` is the address of the chosen picture, or null. */
interface ImagePickerProps {
  readonly id: string;
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (url: string | null) => void;
  readonly empty?: readonly [string, string] | undefined;
  /** Names the tile that chooses none; without it a picture must be chosen. */
  readonly noneLabel?: string | undefined;
  readonly invalid?: boolean;
  /** Marks the chosen tile with a word, such as "Active". */
  readonly chosenLabel?: string;
}

/** A radio group named after the files, with a tile to upload another. */
export function ImagePicker(props: ImagePickerProps) {
  const { id, label, value, onChange, empty = EMPTY, noneLabel, chosenLabel } = props;
  const { files, error, reload } = useUploads();
  if (error) return <LoadFailed what="the images" onRetry={reload} />;
  if (!files) return <Skeleton height="5.5rem" />;
  const images = imagesAmong(files);
  const tile = (url: string | null, name: string, picture: ReactNode) => (
    <label key={url ?? "none"} className="tile">
      <input
        type="radio"
        name={id}
        aria-label={name}
        checked={value === url}
        onChange={() => onChange(url)}
      />
      <span className="tile-picture">{picture}</span>
      <span className="tile-tick">
        {chosenLabel ?? <Check size={14} strokeWidth={3} aria-hidden="true" />}
      </span>
    </label>
  );
  return (
    <>
      {images.length === 0 && (
        <p className="picker-empty">
          <strong>{empty[0]}</strong>
          <span>{empty[1]}</span>
        </p>
      )}
      <div
        className="tiles"
        role="radiogroup"
        aria-label={label}
        aria-invalid={props.invalid || undefined}
      >
        {noneLabel !== undefined && tile(null, noneLabel, <NoPicture words={noneLabel} />)}
        {images.map((file) =>
          tile(
            file.url,
            file.originalName,
            <img
              src={thumbnailOf(file)}
              data-tone={file.tone}
              alt=""
              loading="lazy"
              decoding="async"
            />,
          ),
        )}
        <UploadTile onUploaded={(upload) => onChange(upload.url)} />
      </div>
    </>
  );
}

/** What an empty picker says: what is so, and what to do. */
const EMPTY = ["No images available", "Upload images in the File Management tab first"] as const;

function NoPicture({ words }: { words: string }) {
  return (
    <span className="tile-none" aria-hidden="true">
      <Ban size={16} /> {words}
    </span>
  );
}

/** The last tile: uploads a picture and chooses it; `onUploaded` gets what the server stored. */
function UploadTile({ onUploaded }: { onUploaded: (upload: Upload) => void }) {
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

/** Opens on a press and closes on a choice: the chosen picture, Choose Image, Remove Image, the picker. */
export function FoldedImagePicker(props: ImagePickerProps) {
  const { id, value, onChange } = props;
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    document.getElementById(`${id}-choose`)?.focus();
  };
  return (
    <div className="folded">
      <div className="folded-line">
        {value && <PictureOf url={value} className="folded-picture" />}
        <Button id={`${id}-choose`} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Image size={16} aria-hidden="true" /> Choose Image
        </Button>
        {value && (
          <Button variant="quiet" onClick={() => onChange(null)}>
            <X size={16} aria-hidden="true" /> Remove Image
          </Button>
        )}
      </div>
      {open && <Choice {...props} onClose={close} />}
    </div>
  );
}

/** Arrow keys look around, and press the tiles as they go: only a pointer, Space or Enter closes. */
function Choice({ onClose, ...props }: ImagePickerProps & { onClose: () => void }) {
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
