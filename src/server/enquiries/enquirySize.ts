/** The size limit of an enquiry, which follows from its form. */
import { longestAnswer } from "../../schema/enquiry/answers.ts";
import type { EnquiryTree } from "../../schema/enquiry/enquiry.ts";
import { DASHBOARD_JSON, PUBLIC_JSON } from "../http/body.ts";
import { allFields } from "./enquiryAnswers.ts";

/** A three-byte letter takes nine when URL-encoded: `%E4%B8%AD`. */
const BYTES_A_LETTER = 9;
/** A field's name, a phone's prefix and the separators. */
const FRAME = 300;

/** In bytes, a multiple of 64 KB: the size of a post with the longest answers; at most 1 MB. */
export function maxEnquiryBytes(form: EnquiryTree | null): number {
  let most = PUBLIC_JSON / 8;
  for (const field of form ? allFields(form) : [])
    most += (longestAnswer(field) + field.options.length) * BYTES_A_LETTER + FRAME;
  return Math.min(Math.ceil(most / PUBLIC_JSON) * PUBLIC_JSON, DASHBOARD_JSON);
}
