/** Uploaded pictures (specification, section 3.14). */
import * as v from "valibot";
import { collection } from "../entities/entity.ts";
import { choice, CROPS, field, internal, timestamp, POINT, text, toggle } from "../kinds/fields.ts";
import { type Crops, type Point, CROP_RATIOS } from "./pictures.ts";

const createPublicTextField = (label: string) => ({
  ...internal(label, v.string(), ""),
  audience: "everyone" as const,
});
const createCountField = (label: string) => ({
  ...internal(label, v.number(), 0),
  audience: "everyone" as const,
});

const OUTSIDE_IMAGE_MESSAGE = "This must be inside the image.";
const UNKNOWN_CROP_MESSAGE = "Unknown crop.";

/** The shortest side of a crop, in percent of the picture's side. */
const MIN_CROP_PERCENT = 10;
/** The largest position of a crop's right and lower edge, in percent, with a margin for rounding. */
const MAX_CROP_EDGE_PERCENT = 100.01;

const isPercent = (value: unknown) => typeof value === "number" && value >= 0 && value <= 100;
const isPoint = (value: any) => isPercent(value?.x) && isPercent(value?.y);
const isCrop = (value: any) =>
  isPoint(value) &&
  isPercent(value.width) &&
  isPercent(value.height) &&
  Math.min(value.width, value.height) >= MIN_CROP_PERCENT &&
  Math.max(value.x + value.width, value.y + value.height) <= MAX_CROP_EDGE_PERCENT;

const pointSchema = v.pipe(
  v.unknown(),
  v.check((value) => value === null || isPoint(value), OUTSIDE_IMAGE_MESSAGE),
  v.transform((value) => value && { x: (value as Point).x, y: (value as Point).y }),
) as v.GenericSchema<unknown, Point | null>;

const cropsSchema = v.pipe(
  v.unknown(),
  v.check((value) => typeof value === "object" && !Array.isArray(value), OUTSIDE_IMAGE_MESSAGE),
  v.check(
    (value) => Object.keys(value ?? {}).every((name) => Object.hasOwn(CROP_RATIOS, name)),
    UNKNOWN_CROP_MESSAGE,
  ),
  v.check((value) => Object.values(value ?? {}).every(isCrop), OUTSIDE_IMAGE_MESSAGE),
  v.transform((value) => value && pickCrops(value as Crops)),
) as v.GenericSchema<unknown, Crops | null>;

function pickCrops(crops: Crops): Crops {
  const entries = Object.entries(crops).map(([name, { x, y, width, height }]) => [
    name,
    { x, y, width, height },
  ]);
  return Object.fromEntries(entries) as Crops;
}

export const uploads = collection("uploads", "File", {
  readers: "none",
  hasHistory: false,
  maxItems: 10_000,
  version: 3,
  fields: {
    filename: createPublicTextField("File name"),
    originalName: text("Name", { required: true, maxLength: 200 }),
    mimetype: createPublicTextField("Type"),
    size: createCountField("Size"),
    createdAt: timestamp("Uploaded", "create"),
    url: createPublicTextField("Address"),
    width: createCountField("Width"),
    height: createCountField("Height"),
    /** The widths of the WebP variants in pixels, ascending; none for animations. */
    widths: internal("Variants", v.array(v.number()), []),
    /** A tiny blurred picture as a data URL. */
    placeholder: createPublicTextField("Placeholder"),
    /** The tone of a transparent picture, "dark" or "light"; empty for other pictures. */
    tone: createPublicTextField("Tone"),
    /** The brightness of each cell of a photo, encoded by `encodeBrightness` (scrim.ts); empty if unmeasured. */
    light: createPublicTextField("Light"),
    /** SHA-256 of all files of the picture, in hex; empty for pictures of earlier releases until their first check. */
    checksum: internal("Checksum", v.string(), ""),
    alt: text("Image description", { maxLength: 160 }),
    decorative: toggle("Decorative", false),
    kind: choice(
      "Kind",
      [
        { value: "photo", label: "Photo" },
        { value: "logo", label: "Logo" },
      ],
      "photo",
    ),
    /** The point that every crop must contain; null if the owner set none. */
    focus: field<Point | null>(POINT, "Focus", pointSchema, null),
    /** The crops that the owner has set, by the name of their ratio. */
    cuts: field<Crops | null>(CROPS, "Crops", cropsSchema, null),
  },
});

export * from "./pictures.ts";
export * from "./uploadLimits.ts";
