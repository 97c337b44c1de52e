/** Uploaded pictures (specification, section 3, Upload). */
import * as v from "valibot";
import { collection } from "./entity.ts";
import { internal, moment } from "./fields.ts";

/** The largest upload: 5 MB (specification, section 9.3). */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The types taken (specification, section 5.6). */
export const UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;
export const TOO_LARGE = "File size must be less than 5MB";
export const WRONG_TYPE = "Only JPEG, PNG, WebP, and GIF files are allowed";

const words = (label: string) => ({
  ...internal(label, v.string(), ""),
  audience: "everyone" as const,
});
const count = (label: string) => ({
  ...internal(label, v.number(), 0),
  audience: "everyone" as const,
});

export const uploads = collection("uploads", "File", {
  readers: "none",
  history: false,
  limit: 10_000,
  fields: {
    filename: words("File name"),
    originalName: words("Name"),
    mimetype: words("Type"),
    size: count("Size"),
    createdAt: moment("Uploaded", "create"),
    url: words("Address"),
    width: count("Width"),
    height: count("Height"),
    /** Widths of the WebP variants, ascending; none for animations. */
    widths: internal("Variants", v.array(v.number()), []),
    /** A tiny blurred picture as a data address. */
    placeholder: words("Placeholder"),
    /** "dark" or "light": how a see-through picture is drawn; empty for all others. */
    tone: words("Tone"),
  },
});

export * from "./pictures.ts";
