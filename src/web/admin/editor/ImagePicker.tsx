/** Chooses one of the uploaded pictures: pictures, not paths (ux.md). */
import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import type { ReactNode } from "react";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { imagesAmong, thumbnailOf, useUploads } from "../queries/useUploads.ts";
import { LoadFailed } from "../parts/LoadFailed.tsx";
import { UploadTile } from "./UploadTile.tsx";

/** What an empty picker says: what is so, and what to do (spec section 2). */
const EMPTY = ["No images available", "Upload images in the File Management tab first"] as const;

/** `value` is the address of the chosen picture, or null. */
export interface ImagePickerProps {
  readonly id: string;
  /** Names the group. */
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

/** Renders a radio group named after the files, with a tile to upload another. */
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

function NoPicture({ words }: { words: string }) {
  return (
    <span className="tile-none" aria-hidden="true">
      <Ban size={16} /> {words}
    </span>
  );
}
