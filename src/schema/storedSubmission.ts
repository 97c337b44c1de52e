/** The stored parts of a submission; browsers don't need these schemas (build/leftOut.ts). */
import * as v from "valibot";
import { bookingSchema, offerSchema } from "./calls.ts";

const question = v.object({
  id: v.string(),
  label: v.string(),
  type: v.string(),
  answer: v.union([v.string(), v.array(v.string())]),
});

/** An answered question in its original wording, readable after the form has changed. */
export type AnsweredQuestion = v.InferOutput<typeof question>;

const reply = v.object({
  id: v.string(),
  /** When it was written, and by whom. */
  at: v.string(),
  by: v.string(),
  to: v.string(),
  subject: v.string(),
  text: v.string(),
  /** The call times that it suggests. */
  offers: v.optional(v.array(offerSchema)),
  /** Why none can be chosen any more: one was, the visitor declined, or another reply's was chosen. */
  ended: v.optional(v.picklist(["chosen", "declined", "closed"])),
});

/** A reply written in the dashboard. */
export type StoredReply = v.InferOutput<typeof reply>;

const note = v.object({
  id: v.string(),
  /** When it was written, and by whom. */
  at: v.string(),
  by: v.string(),
  text: v.string(),
});

/** The owner's private note on an enquiry. */
export type StoredNote = v.InferOutput<typeof note>;

export const storedSubmission = {
  questions: v.array(question),
  replies: v.array(reply),
  notes: v.array(note),
  booked: v.nullable(bookingSchema),
};
