/** A stored submission, for tests that insert one themselves. */
import type { Item } from "../../../src/schema/index.ts";

/** A new submission of a form, without answers. */
export const createStoredSubmission = (formId: string): Item<"formSubmissions"> => ({
  id: Bun.randomUUIDv7(),
  formId,
  status: "new",
  createdAt: new Date().toISOString(),
  submittedAt: null,
  questions: [],
  about: null,
  stage: "",
  remindOn: null,
  closedAt: null,
  booked: null,
  callsUntil: null,
  replies: [],
  notes: [],
  ipAddress: null,
  userAgent: null,
});
