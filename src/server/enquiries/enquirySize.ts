/** The size limit of an enquiry, which follows from its form. */
import { maxAnswerLength } from "../../schema/enquiry/answers.ts";
import type { EnquiryTree } from "../../schema/enquiry/enquiry.ts";
import { MAX_DASHBOARD_JSON_BYTES, MAX_PUBLIC_JSON_BYTES } from "../http/body.ts";
import { collectFields } from "./enquiryAnswers.ts";

/** A three-byte letter takes nine when URL-encoded: `%E4%B8%AD`. */
const MAX_BYTES_PER_LETTER = 9;
/** A field's name, a phone's prefix and the separators. */
const FIELD_OVERHEAD_BYTES = 300;

/** In bytes, a multiple of 64 KB: the size of a post with the longest answers; at most 1 MB. */
export function maxEnquiryBytes(form: EnquiryTree | null): number {
  let most = MAX_PUBLIC_JSON_BYTES / 8;
  for (const field of form ? collectFields(form) : [])
    most +=
      (maxAnswerLength(field) + field.options.length) * MAX_BYTES_PER_LETTER + FIELD_OVERHEAD_BYTES;
  return Math.min(
    Math.ceil(most / MAX_PUBLIC_JSON_BYTES) * MAX_PUBLIC_JSON_BYTES,
    MAX_DASHBOARD_JSON_BYTES,
  );
}
