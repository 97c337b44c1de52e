/** Puts closed enquiries into the bin, once they are as old as their form allows (`deleteAfter`). */
import { BIN_DAYS } from "../../schema/people/bin.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Bin } from "../bin/bin.ts";
import { type Clock, inZone } from "../shared/clock.ts";
import type { ShouldContinue } from "../shared/periodicJob.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import { DAY, parseTimestamp } from "../shared/time.ts";
import type { Store, Transaction } from "../storage/store.ts";

type Form = Item<"forms">;
type Submission = Item<"formSubmissions">;

const { formSubmissions } = entities;

export interface ClosedContext {
  readonly store: Store;
  readonly bin: Bin;
  /** The trusted time: a clock that is wrong by months would put all of them into the bin. */
  readonly clock: Clock;
  readonly audit: {
    recordInTransaction(transaction: Transaction, noted: Noted): Promise<() => void>;
  };
}

interface Noted {
  readonly id: string;
  readonly kind: "data";
  readonly action: string;
  readonly detail: string;
}

/** In one transaction. */
const BATCH_SIZE = 100;

/** Ends early when `shouldContinue` returns false; the next round continues. */
export async function deleteClosed(
  context: ClosedContext,
  shouldContinue: ShouldContinue,
): Promise<void> {
  for (const form of context.store.of(entities.forms).read().value) {
    const ids = await idsOfDue(context, form);
    const deleted = { id: Bun.randomUUIDv7(), count: 0, say: () => {} };
    for (let at = 0; at < ids.length && (await shouldContinue()); at += BATCH_SIZE)
      await discard(context, form.id, ids.slice(at, at + BATCH_SIZE), deleted);
    deleted.say();
  }
}

async function idsOfDue({ store, clock }: ClosedContext, form: Form): Promise<string[]> {
  const due = dueOf(form, clock(), storeTimeZone(store));
  if (!due) return [];
  const ids: string[] = [];
  for await (const submission of store.of(formSubmissions).scan({ where: due.among }))
    if (due.isDue(submission)) ids.push(submission.id);
  return ids;
}

/** One form's of a round, and their entry in the audit log. */
interface Deleted {
  readonly id: string;
  count: number;
  /** Puts the entry into the program's log, too. */
  say: () => void;
}

/**
 * Deletes those that are still due: an owner may have worked on them, or changed the form, in the meantime. Their
 * number is stored with them, so that a kill leaves none deleted and not counted.
 */
async function discard(
  { store, bin, clock, audit }: ClosedContext,
  formId: string,
  ids: readonly string[],
  deleted: Deleted,
): Promise<void> {
  let { count, say } = deleted;
  await bin.discard(formSubmissions, async (transaction) => {
    // It may run more than once.
    ({ count, say } = deleted);
    const forms = await transaction.of(entities.forms).read();
    const form = forms.value.find(({ id }) => id === formId);
    const due = form && dueOf(form, clock(), storeTimeZone(store));
    const list = transaction.of(formSubmissions);
    const discarded: Submission[] = [];
    for (const id of ids) {
      const submission = await list.get(id);
      if (!submission || !due?.isDue(submission)) continue;
      await list.delete(id);
      discarded.push(submission);
    }
    if (!form || discarded.length === 0) return [];
    count = deleted.count + discarded.length;
    say = await audit.recordInTransaction(transaction, createAuditEntry(deleted.id, form, count));
    return discarded;
  });
  Object.assign(deleted, { count, say });
}

const createAuditEntry = (id: string, { title, deleteAfter }: Form, count: number): Noted => ({
  id,
  kind: "data",
  action:
    count === 1
      ? `deleted 1 closed submission of "${title}"`
      : `deleted ${count} closed submissions of "${title}"`,
  detail: `Closed for ${deleteAfter} months. Can be restored from the trash for ${BIN_DAYS} days.`,
});

/**
 * The enquiries of a form that are due now; undefined if they never expire. The last day of a shorter month
 * counts.
 */
function dueOf({ id: formId, deleteAfter }: Form, now: number, zone: string) {
  if (deleteAfter === "never") return undefined;
  const months = Number(deleteAfter);
  // No month is shorter: what was sent later needn't be read.
  const before = new Date(now - months * SHORTEST_MONTH).toISOString();
  return {
    among: { formId, stage: "closed", remindOn: null, createdAt: { before, not: null } },
    isDue: (submission: Submission) =>
      submission.formId === formId &&
      submission.stage === "closed" &&
      submission.remindOn === null &&
      inZone(lastChange(submission), zone).add({ months }).epochMilliseconds <= now,
  } as const;
}

const SHORTEST_MONTH = 28 * DAY;

/** Closing it, a note or a reply, the end of a call, whichever was last; it may lie ahead. */
function lastChange({ createdAt, closedAt, callsUntil, notes, replies }: Submission): number {
  const written = [...notes, ...replies].map(({ at }) => at);
  const times = [createdAt, closedAt, callsUntil, ...written].map(parseTimestamp);
  return Math.max(...times.filter((time) => !Number.isNaN(time)));
}
