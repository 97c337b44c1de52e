/** How the parts of a submission are stored; no browser needs that (build/leftOut.ts). */
import * as v from "valibot";
import { bookingSchema, offerSchema } from "./calls.ts";

const question = v.object({
  id: v.string(),
  label: v.string(),
  type: v.string(),
  answer: v.union([v.string(), v.array(v.string())]),
});

/** One answered question as it was asked then: readable after the form has changed. */
export type AnsweredQuestion = v.InferOutput<typeof question>;

const reply = v.object({
  id: v.string(),
  /** When it was written, and by whom. */
  at: v.string(),
  by: v.string(),
  to: v.string(),
  subject: v.string(),
  text: v.string(),
  /** The times that it suggests for a call. */
  offers: v.optional(v.array(offerSchema)),
  /** None of them can be chosen any more: one was, the visitor wants none, or another reply's was chosen. */
  ended: v.optional(v.picklist(["chosen", "declined", "closed"])),
});

/** A reply that was written in the dashboard. */
export type StoredReply = v.InferOutput<typeof reply>;

const note = v.object({
  id: v.string(),
  /** When it was written, and by whom. */
  at: v.string(),
  by: v.string(),
  text: v.string(),
});

/** What the owner has noted on an enquiry for themselves. */
export type StoredNote = v.InferOutput<typeof note>;

export const storedSubmission = {
  questions: v.array(question),
  replies: v.array(reply),
  notes: v.array(note),
  booked: v.nullable(bookingSchema),
};
