/** The schema of an email address, for owners and visitors alike. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { emailFault, LONGEST_EMAIL } from "./emailAddress.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

export const emailSchema = v.pipe(
  boundedText(LONGEST_EMAIL, ANSWER_REFUSALS.email),
  v.nonEmpty(ANSWER_REFUSALS.noEmail),
  v.check((address) => emailFault(address) === undefined, ANSWER_REFUSALS.email),
);
