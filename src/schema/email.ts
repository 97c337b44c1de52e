/** What an email address is, for owners and visitors alike; apart, so that the enquiry form needs no more of the schema. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

const EMAIL_WORDS = ANSWER_REFUSALS.email;

/** As browsers check it (HTML, "valid e-mail address"), and with a dot in its domain; at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  boundedText(254, EMAIL_WORDS),
  v.nonEmpty(ANSWER_REFUSALS.noEmail),
  v.rfcEmail(EMAIL_WORDS),
  v.check((address) => address.includes(".", address.indexOf("@")), EMAIL_WORDS),
);
