/** The routes to follow up on an enquiry: its status, its stage, a reminder and notes. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { boundedText } from "../../schema/core/boundedText.ts";
import { toRecordResponse } from "../../schema/entities/entity.ts";
import { optionalDaySchema } from "../../schema/kinds/fields.ts";
import {
  hasControlCharacters,
  CONTROL_CHARACTERS_MESSAGE,
} from "../../schema/core/invisibleCharacters.ts";
import { entities, type Item } from "../../schema/index.ts";
import { ANSWER_REFUSALS } from "../../schema/core/refusals.ts";
import { NOT_TEXT_MESSAGE } from "../../schema/kinds/kind.ts";
import {
  type FollowUp,
  MAX_NOTE_LENGTH,
  MAX_NOTES,
  toSubmissionResponse,
  type StoredNote,
} from "../../schema/enquiry/visitors.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { readCheckedJson } from "../http/body.ts";
import { computeCallEnd, computeCallStart } from "../shared/callTimes.ts";
import { type Clock, toZonedTime, getTimestamp, formatLocalTime } from "../shared/clock.ts";
import { noLongerExists, invalidField } from "../shared/errors.ts";
import { createParentFilter } from "../bin/listedItems.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import { DAY } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";

type StoredSubmission = Item<"formSubmissions">;

interface FollowUpContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly clock: Clock;
}

const { formSubmissions } = entities;
const { permission } = formSubmissions;

/**
 * PUT `/api/form-submissions/{id}/status {status}`, PUT `…/progress {stage?, remindOn?}` and POST `…/notes {text, id?,
 * at?}` return the submission. A deleted note is restored with its `id` and `at`. GET `/api/follow-ups` returns due
 * reminders and the calls of the next 14 days, at most 100.
 */
export function createFollowUpRoutes({ store, guard, clock }: FollowUpContext) {
  const submissions = store.of(formSubmissions);
  const changeSubmission = async (
    id: string,
    update: (record: StoredSubmission) => StoredSubmission,
  ) => {
    const submission = await submissions.update(id, update);
    if (!submission) throw noLongerExists(formSubmissions);
    return toRecordResponse(formSubmissions, submission);
  };
  return new Elysia({ name: "follow-ups" })
    .use(guard)
    .put(
      "/api/form-submissions/:id/status",
      async ({ params: { id }, request }) => {
        const { status } = await readCheckedJson(statusBodySchema, request, "status");
        return changeSubmission(id, (record) => ({ ...record, status }));
      },
      { may: permission, parse: "none" },
    )
    .get("/api/follow-ups", () => findFollowUps(store, clock), { may: permission })
    .put(
      "/api/form-submissions/:id/progress",
      async ({ params: { id }, request, logAudit }) => {
        const progress = await readCheckedJson(progressBodySchema, request, "stage");
        let isClosing = false;
        const submission = await changeSubmission(id, (record) => {
          isClosing = progress.stage === "closed" && record.stage !== "closed";
          return applyProgress(record, progress, getTimestamp(clock));
        });
        // Logged, since a form can have its closed submissions deleted after some months.
        if (isClosing) logAudit("data", "closed a submission");
        return submission;
      },
      { may: permission, parse: "none" },
    )
    .post(
      "/api/form-submissions/:id/notes",
      async ({ params: { id }, request, user, logAudit, set }) => {
        const input = await readCheckedJson(noteBodySchema, request, "text");
        const { id: noteId = Bun.randomUUIDv7(), at = getTimestamp(clock), text } = input;
        const note: StoredNote = { id: noteId, at, by: user.username, text };
        const submission = await changeSubmission(id, (record) => addNote(record, note));
        logAudit("data", "added a note to a submission");
        set.status = 201;
        return submission;
      },
      { may: permission, parse: "none" },
    )
    .delete(
      "/api/form-submissions/:id/notes/:key",
      async ({ params: { id, key }, logAudit, set }) => {
        await changeSubmission(id, (record) => removeNote(record, key));
        logAudit("data", "deleted a note from a submission");
        set.status = 204;
      },
      { may: permission },
    );
}

type Progress = v.InferOutput<typeof progressBodySchema>;

/** Changes the stage and the reminder. Also sets `closedAt`, before which the form's deletion period doesn't begin. */
function applyProgress(
  record: StoredSubmission,
  progress: Progress,
  now: string,
): StoredSubmission {
  const { stage = record.stage } = progress;
  const closedAt = stage === record.stage ? record.closedAt : stage === "closed" ? now : null;
  const hasProgress = stage !== "" || (progress.remindOn ?? null) !== null;
  return { ...(hasProgress ? markReviewed(record) : record), ...progress, closedAt };
}

/** Marks a new enquiry as reviewed, since whoever changes it has read it. */
const markReviewed = (record: StoredSubmission): StoredSubmission =>
  record.status === "new" ? { ...record, status: "reviewed" } : record;

/** `v.object` gets the message, because it reports a missing status. */
const statusBodySchema = v.object(
  { status: formSubmissions.fields.status.schema },
  ANSWER_REFUSALS.choose,
);

const progressBodySchema = v.partial(
  v.object(
    { stage: formSubmissions.fields.stage.schema, remindOn: optionalDaySchema },
    ANSWER_REFUSALS.choose,
  ),
);

const EMPTY_NOTE_MESSAGE = "A note can't be empty.";
const NOTE_TOO_LONG_MESSAGE = "A note can have at most 2,000 characters.";
const TOO_MANY_NOTES_MESSAGE = "There are 50 notes already. Delete one first.";

const noteBodySchema = v.object(
  {
    text: v.pipe(
      boundedText(MAX_NOTE_LENGTH, EMPTY_NOTE_MESSAGE, NOTE_TOO_LONG_MESSAGE),
      v.check((text) => !hasControlCharacters(text), CONTROL_CHARACTERS_MESSAGE),
      v.nonEmpty(EMPTY_NOTE_MESSAGE),
    ),
    id: v.optional(v.pipe(boundedText(36, NOT_TEXT_MESSAGE), v.uuid())),
    at: v.optional(v.pipe(boundedText(40, NOT_TEXT_MESSAGE), v.isoTimestamp())),
  },
  EMPTY_NOTE_MESSAGE,
);

function addNote(record: StoredSubmission, note: StoredNote): StoredSubmission {
  const { notes } = record;
  if (notes.some(({ id }) => id === note.id)) return record;
  if (notes.length >= MAX_NOTES) throw invalidField("text", TOO_MANY_NOTES_MESSAGE);
  return { ...markReviewed(record), notes: [...notes, note].toSorted(compareNoteTimes) };
}

/** Compares notes by time, then by id: ids increase with time, so a restored note gets its former position. */
function compareNoteTimes(one: StoredNote, other: StoredNote): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

function removeNote(record: StoredSubmission, id: string): StoredSubmission {
  const notes = record.notes.filter((each) => each.id !== id);
  if (notes.length === record.notes.length) throw noLongerExists({ label: "Note" });
  return { ...record, notes };
}

/** The maximum number of listed follow-ups: more than anyone handles in a day. */
const MAX_LISTED_FOLLOW_UPS = 100;

const CALLS_AHEAD_MS = 14 * DAY;

/** Returns the enquiries with a due reminder, or with a call within 14 days that isn't over, ordered by time. */
async function findFollowUps(store: Store, clock: Clock): Promise<FollowUp[]> {
  const submissions = store.of(formSubmissions);
  const [now, zone] = [clock(), getSiteTimeZone(store)];
  const parentFilter = createParentFilter(store, formSubmissions);
  const today = toZonedTime(now, zone).toPlainDate().toString();
  // `remindOn` comes first: few submissions have a reminder, so few forms are looked up.
  const dueFilter = { remindOn: { not: null, upTo: today }, ...parentFilter };
  const upcomingFilter = { callsUntil: { from: new Date(now).toISOString() }, ...parentFilter };
  const dueKeys = (await submissions.readKeys(dueFilter)).toSorted((one, other) =>
    (one.remindOn ?? "") < (other.remindOn ?? "") ? -1 : 1,
  );
  const upcomingKeys = await submissions.readKeys(upcomingFilter);
  const ids = [...dueKeys.slice(0, MAX_LISTED_FOLLOW_UPS), ...upcomingKeys].map(({ id }) => id);
  const records = await Promise.all([...new Set(ids)].map((id) => submissions.get(id)));
  return records
    .flatMap((record) => (record ? toFollowUp(record, { now, zone, today }) : []))
    .toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1))
    .slice(0, MAX_LISTED_FOLLOW_UPS)
    .map(({ followUp }) => followUp);
}

interface SiteDay {
  readonly now: number;
  readonly zone: string;
  readonly today: string;
}

/** Returns the follow-up with its due time; nothing if neither a reminder nor a call is due. */
function toFollowUp(record: StoredSubmission, { now, zone, today }: SiteDay) {
  const { booked, remindOn } = record;
  const hasUpcomingCall =
    booked && computeCallEnd(booked) > now && computeCallStart(booked) < now + CALLS_AHEAD_MS;
  const callAt = hasUpcomingCall ? formatLocalTime(computeCallStart(booked), zone) : null;
  const reminderDays = remindOn !== null && remindOn <= today ? [remindOn] : [];
  // A day such as 2031-05-03 sorts before the times of that day.
  const [dueAt] = [...reminderDays, ...(callAt === null ? [] : [callAt])].toSorted();
  if (dueAt === undefined) return [];
  const isDue = reminderDays.length > 0 || callAt?.startsWith(today) === true;
  return [{ dueAt, followUp: { ...toSubmissionResponse(record), isDue, callAt } }];
}
