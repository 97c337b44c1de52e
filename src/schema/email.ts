/** What an email address is, for owners and visitors alike; apart, so that the enquiry form needs no more of the schema. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";

const EMAIL_WORDS = "Enter an email address such as name@example.com.";

/** As browsers check it (HTML, "valid e-mail address"), and with a dot in its domain; at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  boundedText(254, EMAIL_WORDS),
  v.nonEmpty("Email is required"),
  v.rfcEmail(EMAIL_WORDS),
  v.check((address) => address.includes(".", address.indexOf("@")), EMAIL_WORDS),
);
