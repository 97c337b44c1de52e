/** The kinds of field for addresses: pictures, links, email. */
import { MAX_URL_LENGTH } from "../core/boundedUnicode.ts";
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { emailSchema } from "../core/email.ts";
import {
  toLegacySafePictureUrl,
  toLegacySafeUrl,
  completeUrl,
  toSafePictureUrl,
  toSafeUrl,
} from "../core/safeUrl.ts";
import { EMPTY_MESSAGE, field, type Field, kind, type FieldOptions, orNull } from "./kind.ts";

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

const pictureUrlSchema = createUrlSchema(PICTURE_MESSAGE, toLegacySafePictureUrl);
const newPictureCheck = { findNewValueProblem: createDisguiseCheck(toSafePictureUrl) };

export function image(label: string): Field<string> {
  return field<string>(IMAGE, label, pictureUrlSchema, "", { required: true, ...newPictureCheck });
}

export function optionalImage(label: string): Field<string | null> {
  return field<string | null>(IMAGE, label, orNull(pictureUrlSchema), null, newPictureCheck);
}

const LINK_MESSAGE =
  "Enter a full URL that starts with https://. Email links (mailto:), phone links (tel:) and pages of this site work too.";

const linkUrlSchema = createUrlSchema(LINK_MESSAGE, (text) => toLegacySafeUrl(completeUrl(text)));
const newLinkCheck = { findNewValueProblem: createDisguiseCheck(toSafeUrl) };

/** Declares a required link to a safe URL (`toLegacySafeUrl`). */
export function link(label: string, options: FieldOptions<string> = {}): Field<string> {
  const { findNewValueProblem = () => undefined } = options;
  return field(LINK, label, linkUrlSchema, "", {
    required: true,
    ...options,
    findNewValueProblem: (url) => newLinkCheck.findNewValueProblem(url) ?? findNewValueProblem(url),
  });
}

export function optionalLink(
  label: string,
  options: FieldOptions<string | null> = {},
): Field<string | null> {
  const { initial = null } = options;
  return field(LINK, label, orNull(linkUrlSchema), initial, { ...newLinkCheck, ...options });
}

export function email(label: string, options: FieldOptions<string> = {}): Field<string> {
  return field(EMAIL, label, emailSchema, "", { required: true, ...options });
}

export function optionalEmail(
  label: string,
  options: FieldOptions<string | null> = {},
): Field<string | null> {
  return field(EMAIL, label, orNull(emailSchema), null, options);
}

const DISGUISED_URL_MESSAGE =
  "Enter one full URL from your browser, without a username or password.";

function createDisguiseCheck(toUrl: (text: string) => string | undefined) {
  return (value: string | null) =>
    value === null || toUrl(value) !== undefined ? undefined : DISGUISED_URL_MESSAGE;
}

/** Creates the schema of a text that `toUrl` accepts as a URL. Any other text is refused with `message`. */
function createUrlSchema(message: string, toUrl: (text: string) => string | undefined) {
  return v.pipe(
    boundedText(MAX_URL_LENGTH, message),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const address = toUrl(dataset.value);
      if (address !== undefined) return address;
      addIssue({ message: dataset.value === "" ? EMPTY_MESSAGE : message });
      return NEVER;
    }),
  );
}
