/** The refusal of a picture: what is wrong with it, in words for the person who chose it. */
import { TOO_LARGE, WRONG_TYPE } from "../../schema/uploads.ts";

const REFUSALS = {
  too_large: { status: 413, words: TOO_LARGE },
  wrong_type: { status: 415, words: WRONG_TYPE },
  damaged: {
    status: 422,
    words: "This picture is damaged or incomplete. Save it again at its source, or choose another.",
  },
  too_many_pixels: {
    status: 422,
    words:
      "This picture is too large: at most 12,000 pixels a side and 50 megapixels. " +
      "Make it smaller and try again.",
  },
} as const;

/** Why a picture was refused; stable, for programs. */
export type ImageRefusal = keyof typeof REFUSALS;

/**
 * Thrown for a picture that is not taken. `message` is a sentence for people (the first two are the
 * words of spec §5), `code` is stable, `status` is the HTTP status that fits.
 */
export class ImageRefused extends Error {
  override readonly name = "ImageRefused";
  readonly code: ImageRefusal;
  readonly status: number;

  constructor(code: ImageRefusal, cause?: unknown) {
    super(REFUSALS[code].words, { cause });
    this.code = code;
    this.status = REFUSALS[code].status;
  }
}
