/** How large an enquiry may be: as large as the form that is asked for lets an answer be. */
import { MAX_TEXT_ANSWER, MAX_TEXTAREA_ANSWER } from "../../schema/answers.ts";
import type { EnquiryTree } from "../../schema/enquiry.ts";
import { DASHBOARD_JSON, PUBLIC_JSON } from "../http/body.ts";
import { allFields } from "./plainSteps.ts";

/** In a form's encoding a letter of three bytes takes nine: `%E4%B8%AD`. */
const BYTES_A_LETTER = 9;
/** A field's name, a phone's prefix, the signs between them. */
const FRAME = 300;

/** In bytes, a multiple of 64 KB: what a post with every question answered in full takes; at most 1 MB. */
export function largestEnquiry(form: EnquiryTree | null): number {
  let most = PUBLIC_JSON / 8;
  for (const { fieldType, options } of form ? allFields(form) : []) {
    const letters = fieldType === "textarea" ? MAX_TEXTAREA_ANSWER : MAX_TEXT_ANSWER;
    most += (letters + options.length) * BYTES_A_LETTER + FRAME;
  }
  return Math.min(Math.ceil(most / PUBLIC_JSON) * PUBLIC_JSON, DASHBOARD_JSON);
}
