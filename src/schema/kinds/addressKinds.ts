/** Kinds of addresses: pictures, links, email. */
import { MAX_URL_LENGTH } from "../core/boundedUnicode.ts";
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { emailSchema } from "../core/email.ts";
import {
  followablePictureUrl,
  followableUrl,
  completeUrl,
  safePictureUrl,
  safeUrl,
} from "../core/safeUrl.ts";
import { EMPTY, field, type Field, kind, type Options, orNull } from "./kind.ts";

export const IMAGE = kind("image", {
  findPictures: (address) => [address],
  describeChange: (label, before, after) => {
    if (!after) return undefined;
    return before ? `${label} replaced` : `${label} added`;
  },
});
export const LINK = kind("link", { isNormalized: true });
export const EMAIL = kind("email", { isNormalized: true });

const PICTURE_MESSAGE = "Choose an uploaded image or enter a URL that starts with https://.";

const pictureAddress = address(PICTURE_MESSAGE, followablePictureUrl);
const refusePicture = { findNewValueProblem: refusing(safePictureUrl) };

/** A required picture URL. */
export function image(label: string, options: Options<string> = {}): Field<string> {
  return field(IMAGE, label, pictureAddress, "", {
    required: true,
    ...refusePicture,
    ...options,
  });
}

export function optionalImage(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field(IMAGE, label, orNull(pictureAddress), null, { ...refusePicture, ...options });
}

const LINK_MESSAGE =
  "Enter a full URL that starts with https://. Email links (mailto:), phone links (tel:) and pages of this site work too.";

const linkAddress = address(LINK_MESSAGE, (text) => followableUrl(completeUrl(text)));
const refuseLink = { findNewValueProblem: refusing(safeUrl) };

/** A required link that is safe to follow. */
export function link(label: string, options: Options<string> = {}): Field<string> {
  const { findNewValueProblem = () => undefined } = options;
  return field(LINK, label, linkAddress, "", {
    required: true,
    ...options,
    findNewValueProblem: (url) => refuseLink.findNewValueProblem(url) ?? findNewValueProblem(url),
  });
}

/** A link that is safe to follow, or null. */
export function optionalLink(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  const { initial = null } = options;
  return field(LINK, label, orNull(linkAddress), initial, { ...refuseLink, ...options });
}

/** A required email address. */
export function email(label: string, options: Options<string> = {}): Field<string> {
  return field(EMAIL, label, emailSchema, "", { required: true, ...options });
}

export function optionalEmail(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field(EMAIL, label, orNull(emailSchema), null, options);
}

const DISGUISED = "Enter the full URL from your browser, without a username or password.";

function refusing(safe: (text: string) => string | undefined) {
  return (value: string | null) =>
    value === null || safe(value) !== undefined ? undefined : DISGUISED;
}

/** A text that `safe` accepts as a URL; any other is refused with `message`. */
function address(message: string, safe: (text: string) => string | undefined) {
  return v.pipe(
    boundedText(MAX_URL_LENGTH, message),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const address = safe(dataset.value);
      if (address !== undefined) return address;
      addIssue({ message: dataset.value === "" ? EMPTY : message });
      return NEVER;
    }),
  );
}
