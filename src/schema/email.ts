/** What an email address is, for owners and visitors alike; apart, so that the enquiry form needs no more of the schema. */
import * as v from "valibot";

/** As browsers check it (HTML, "valid e-mail address"), and with a dot in its domain. */
const HAS_DOT = /@.+\../;

const EMAIL_WORDS = "Enter an email address such as name@example.com.";

/** An email address, trimmed; at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  v.string(EMAIL_WORDS),
  v.trim(),
  v.nonEmpty("Email is required"),
  v.maxLength(254, EMAIL_WORDS),
  v.rfcEmail(EMAIL_WORDS),
  v.regex(HAS_DOT, EMAIL_WORDS),
);
