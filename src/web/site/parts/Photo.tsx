/** One of the owner's pictures. The browser chooses the right width, and the layout doesn't shift when it loads. */
import type { CSSProperties } from "react";
import {
  findCrop,
  type Picture,
  type Pictures,
  type CropName,
  type ObjectPosition,
  computeObjectPosition,
  createVariantUrl,
} from "../../../schema/pictures/pictures.ts";
import { toSafePictureUrl } from "../../../schema/core/safeUrl.ts";

/** `sizes` is the value of the HTML attribute. A picture with an invalid address isn't rendered. */
interface PhotoProps {
  readonly src: string | null | undefined;
  readonly pictures: Pictures;
  readonly sizes: string;
  /** A text that precedes the owner's description of the picture. */
  readonly alt?: string;
  /** The name of the crop, or of two crops: for landscape and for portrait screens. */
  readonly crop?: CropName | { readonly wide: CropName; readonly tall: CropName };
  readonly className?: string;
  readonly style?: CSSProperties | undefined;
  /** True for the page's first picture, which is fetched with high priority. */
  readonly isFirst?: boolean;
  /** Whether the picture is loaded immediately, even if it is out of sight. */
  readonly isEager?: boolean;
  /** Whether a tiny blurred picture is shown until the real picture has loaded. */
  readonly isBlurred?: boolean;
}

export interface ImageSources {
  readonly src: string;
  readonly srcSet: string | undefined;
  readonly sizes: string | undefined;
}

export function Photo(props: PhotoProps) {
  const {
    src,
    pictures,
    alt = "",
    crop,
    className,
    style,
    isFirst = false,
    isBlurred = !isFirst,
    isEager = isFirst,
  } = props;
  const address = toSafePictureUrl(src);
  if (!address) return null;
  const picture = pictures[address];
  const placeholder = isBlurred && picture?.placeholder;
  const placements = createPlacements(picture, crop);
  return (
    <img
      {...createSources(address, props)}
      alt={[alt, picture?.alt].filter(Boolean).join(". ")}
      className={className}
      width={picture?.width}
      height={picture?.height}
      loading={isEager ? "eager" : "lazy"}
      decoding="async"
      fetchPriority={isFirst ? "high" : undefined}
      style={createPhotoStyle(placements, placeholder, style)}
      data-blurred={placeholder ? "" : undefined}
      data-placed={placements.map(({ screen }) => screen).join(" ") || undefined}
    />
  );
}

/** Returns the file and the variants of a picture that is shown at these `sizes`. */
export function createSources(
  address: string,
  { pictures, sizes, crop }: Pick<PhotoProps, "pictures" | "sizes" | "crop">,
): ImageSources {
  const picture = pictures[address];
  const srcSet = createSourceSet(address, picture);
  return {
    src: picture?.at ?? address,
    srcSet,
    sizes: srcSet && scaleSizes(sizes, createPlacements(picture, crop)),
  };
}

/** Returns the variants of an upload as a `srcset`; undefined if there are none. */
function createSourceSet(address: string, picture: Picture | undefined): string | undefined {
  const { widths = [], at = address } = picture ?? {};
  if (widths.length === 0) return undefined;
  return widths.map((width) => `${createVariantUrl(at, width)} ${width}w`).join(", ");
}

/** The placement of a picture on one kind of screen; see Photo.css. */
interface Placement extends ObjectPosition {
  readonly screen: "any" | "wide" | "tall";
}

/** Returns the picture's placements. Without any, the style sheet places the picture. */
function createPlacements(picture: Picture | undefined, crop: PhotoProps["crop"]): Placement[] {
  if (!picture || !crop) return [];
  const crops = typeof crop === "string" ? { any: crop } : crop;
  return Object.entries(crops).flatMap(([screen, name]: [string, CropName]) => {
    const cropArea = findCrop(picture, name);
    return cropArea
      ? [
          {
            screen: screen as Placement["screen"],
            ...computeObjectPosition(cropArea, picture.focus),
          },
        ]
      : [];
  });
}

/** Multiplies the widths in `sizes` by the zoom of a crop, since a zoomed picture needs more pixels. */
function scaleSizes(sizes: string, placements: readonly Placement[]): string {
  if (placements.every(({ zoom }) => zoom < 1.01)) return sizes;
  const widths = sizes.split(",").map((size) => {
    const screen = size.includes("portrait") ? "tall" : "wide";
    const zoom = placements.find((each) => [screen, "any"].includes(each.screen))?.zoom ?? 1;
    if (zoom < 1.01) return size;
    return size.replace(/(?<!\S)\S+$/, (width) => `calc(${width} * ${roundToHundredths(zoom)})`);
  });
  return widths.join(",");
}

function createPhotoStyle(
  placements: readonly Placement[],
  placeholder: string | false | undefined,
  style: CSSProperties | undefined,
): CSSProperties | undefined {
  const customProperties = Object.fromEntries(
    placements.flatMap(({ screen, x, y, zoom }) => [
      [`--${screen}-at`, `${roundToHundredths(x)}% ${roundToHundredths(y)}%`],
      [`--${screen}-zoom`, roundToHundredths(zoom)],
    ]),
  );
  if (placeholder) customProperties["--blurred"] = `url("${placeholder}")`;
  return Object.keys(customProperties).length > 0 ? { ...style, ...customProperties } : style;
}

const roundToHundredths = (value: number) => Math.round(value * 100) / 100;
