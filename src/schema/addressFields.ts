/** Fields that hold the address of a picture, of a page, or of a person. */
import * as v from "valibot";
import { EMPTY, type Field, field, type Options, orNull } from "./field.ts";
import { safePictureUrl, safeUrl } from "./safeUrl.ts";

const PICTURE_WORDS =
  "Choose a picture of this site, or give an address that starts with https://.";
const pictureAddress = address(PICTURE_WORDS, safePictureUrl);

/** The address of a picture that must be there. */
export function image(label: string, options: Options<string> = {}): Field<string> {
  return field("image", label, pictureAddress, "", { required: true, ...options });
}

/** The address of a picture, or null. */
export function optionalImage(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("image", label, orNull(pictureAddress), null, options);
}

const LINK_WORDS =
  "Give a full address that starts with https:// (or mailto:, tel:, or a / of this site).";
const linkAddress = address(LINK_WORDS, safeUrl);

/** An address that can be followed safely. */
export function link(label: string, options: Options<string> = {}): Field<string> {
  return field("link", label, linkAddress, "", { required: true, ...options });
}

/** An address that can be followed safely, or null. */
export function optionalLink(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("link", label, orNull(linkAddress), null, options);
}

const EMAIL_WORDS = "Give an e-mail address such as name@example.com.";

/** An e-mail address, trimmed; at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  v.string(EMAIL_WORDS),
  v.trim(),
  v.nonEmpty("Email is required"),
  v.maxLength(254, EMAIL_WORDS),
  v.email(EMAIL_WORDS),
);

/** An e-mail address that must be there. */
export function email(label: string, options: Options<string> = {}): Field<string> {
  return field("email", label, emailSchema, "", { required: true, ...options });
}

/** An e-mail address, or null. */
export function optionalEmail(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("email", label, orNull(emailSchema), null, options);
}

/** A text that `safe` makes an address of; where it can't, `words` say what to give. */
function address(words: string, safe: (text: string) => string | undefined) {
  return v.pipe(
    v.string(words),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const address = safe(dataset.value);
      if (address !== undefined) return address;
      addIssue({ message: dataset.value.trim() === "" ? EMPTY : words });
      return NEVER;
    }),
  );
}
