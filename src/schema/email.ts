/** The schema of an email address, for owners and visitors alike. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { emailFault, LONGEST_EMAIL } from "./emailAddress.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

export const emailSchema = v.pipe(
  boundedText(LONGEST_EMAIL, ANSWER_REFUSALS.email),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed && emailFault(dataset.value);
    if (fault) addIssue({ message: fault });
  }),
);
