/** Thumbnails of a picture's crops, and facts about its file. */
import type { CSSProperties } from "react";
import { createPortraitLayout } from "../../../schema/sections/heroPortrait.ts";
import {
  type CropName,
  computeObjectPosition,
  CROP_RATIOS,
} from "../../../schema/pictures/pictures.ts";
import { formatDate } from "../../shared/formatTimes.ts";
import { formatFileSize, createThumbnailUrl, type Upload } from "../data/uploads.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import {
  CROP_RATIO_LABELS,
  CROP_RATIO_NAMES,
  findVisibleCrop,
  findBlurryRatios,
} from "./cropping.ts";
import css from "./CropChoice.css" with { type: "text" };

interface CropChoiceProps {
  readonly picture: Upload;
  readonly selectedName: CropName | null;
  readonly onChoose: (ratio: CropName | null) => void;
}

/** Pressing a thumbnail shows its crop frame on the picture, or hides the frame again. */
export function CropChoice({ picture, selectedName, onChoose }: CropChoiceProps) {
  return (
    <fieldset aria-label="Crop">
      <div className="row gap-12 small justify-between mb-16">
        <span className="medium">Crop</span>
        <span className="note faint">{CROP_RATIO_NAMES.length} crops</span>
      </div>
      <div className="justify-between gap-4 cluster">
        {CROP_RATIO_NAMES.map((ratio) => (
          <button
            key={ratio}
            type="button"
            className="crop-preview option stack note faint"
            aria-pressed={ratio === selectedName}
            onClick={() => onChoose(ratio === selectedName ? null : ratio)}
          >
            <CropThumbnail picture={picture} ratio={ratio} />
            {CROP_RATIO_LABELS[ratio]}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

export function CropThumbnail({ picture, ratio: cropName }: { picture: Upload; ratio: CropName }) {
  useStylesheet(css);
  const { x, y, zoom } = computeObjectPosition(findVisibleCrop(picture, cropName), picture.focus);
  const position = `${x}% ${y}%`;
  return (
    <span
      className="crop-preview-frame well"
      data-place={cropName}
      style={{ "--ratio": CROP_RATIOS[cropName] } as CSSProperties}
    >
      <img
        src={createThumbnailUrl(picture)}
        alt=""
        style={{ objectPosition: position, transformOrigin: position, scale: String(zoom) }}
      />
    </span>
  );
}

/** Shows a portrait as it is cropped on a first screen, where it fills an area of this ratio beside the text. */
export function PortraitThumbnail({
  picture,
  ratio: aspectRatio,
}: {
  picture: Upload;
  ratio: number;
}) {
  useStylesheet(css);
  const { x, y } = createPortraitLayout(picture, "left")?.position ?? DEFAULT_FOCUS;
  return (
    <span className="crop-preview-frame well" style={{ "--ratio": aspectRatio } as CSSProperties}>
      <img src={createThumbnailUrl(picture)} alt="" style={{ objectPosition: `${x}% ${y}%` }} />
    </span>
  );
}

const DEFAULT_FOCUS = { x: 50, y: 50 };

export function PictureFacts({ picture }: { picture: Upload }) {
  const { usedIn = [], width, height, size, createdAt } = picture;
  return (
    <>
      <div className="field">
        <span className="field-label">Used in</span>
        <p className="cluster mt-12">
          {usedIn.length === 0 && <span className="quiet">Not used yet</span>}
          {usedIn.map((section) => (
            <span key={section} className="badge">
              {section}
            </span>
          ))}
        </p>
      </div>
      <p className="picture-facts border-top faint small">
        {width} × {height} · {formatFileSize(size)}
        {picture.kind === "photo" && ` · ${describeSharpness(picture)}`}
        {createdAt && (
          <>
            <br />
            Added {formatDate(createdAt)}
          </>
        )}
      </p>
    </>
  );
}

function describeSharpness(picture: Upload): string {
  const blurryLabels = findBlurryRatios(picture).map((ratio) => CROP_RATIO_LABELS[ratio]);
  return blurryLabels.length === 0
    ? "sharp in every crop"
    : `may look blurry in ${blurryLabels.join("; ")}`;
}
