/** The schema of an email address, for owners and visitors alike: it is read as in an answer. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { emailFault, LONGEST_TYPED_EMAIL, readEmail } from "./emailAddress.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

export const emailSchema = v.pipe(
  boundedText(LONGEST_TYPED_EMAIL, ANSWER_REFUSALS.email),
  v.nonEmpty(ANSWER_REFUSALS.noEmail),
  v.transform(readEmail),
  v.check((address) => emailFault(address) === undefined, ANSWER_REFUSALS.email),
);
