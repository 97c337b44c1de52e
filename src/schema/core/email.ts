/** The schema of an email address, for addresses of owners and of visitors. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { findEmailProblem, MAX_EMAIL_INPUT_LENGTH, extractEmail } from "./emailAddress.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

export const emailSchema = v.pipe(
  boundedText(MAX_EMAIL_INPUT_LENGTH, ANSWER_REFUSALS.email),
  v.nonEmpty(ANSWER_REFUSALS.noEmail),
  v.transform(extractEmail),
  v.check((address) => findEmailProblem(address) === undefined, ANSWER_REFUSALS.email),
);
