/**
 * Moves closed enquiries to the bin after a time without changes. The form's `deleteAfter` sets this time in months.
 */
import { formatCount } from "../../schema/core/formatNumber.ts";
import { BIN_RETENTION_DAYS } from "../../schema/people/bin.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Bin } from "../bin/bin.ts";
import { type Clock, toZonedTime } from "../shared/clock.ts";
import type { ShouldContinue } from "../shared/periodicJob.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import { DAY, parseTimestamp } from "../shared/time.ts";
import type { Store, Transaction } from "../storage/store.ts";

type Form = Item<"forms">;
type Submission = Item<"formSubmissions">;

const { formSubmissions } = entities;

export interface ClosedEnquiriesContext {
  readonly store: Store;
  readonly bin: Bin;
  /** The trusted clock. A machine's clock that is months ahead would move all closed enquiries to the bin. */
  readonly clock: Clock;
  readonly audit: {
    recordInTransaction(transaction: Transaction, event: AuditEvent): Promise<() => void>;
  };
}

interface AuditEvent {
  readonly id: string;
  readonly kind: "data";
  readonly action: string;
  readonly detail: string;
}

/** The number of enquiries deleted in one transaction. */
const BATCH_SIZE = 100;

/**
 * Moves the closed enquiries that are due to the bin. Stops when `shouldContinue` returns false; the next run
 * continues.
 */
export async function deleteClosedEnquiries(
  context: ClosedEnquiriesContext,
  shouldContinue: ShouldContinue,
): Promise<void> {
  for (const form of context.store.of(entities.forms).read().value) {
    const ids = await findDueIds(context, form);
    const deletion = { id: Bun.randomUUIDv7(), count: 0, logEntry: () => {} };
    for (let offset = 0; offset < ids.length && (await shouldContinue()); offset += BATCH_SIZE)
      await deleteDueEnquiries(context, form.id, ids.slice(offset, offset + BATCH_SIZE), deletion);
    deletion.logEntry();
  }
}

async function findDueIds({ store, clock }: ClosedEnquiriesContext, form: Form): Promise<string[]> {
  const filter = createDueFilter(form, clock(), getSiteTimeZone(store));
  if (!filter) return [];
  const ids: string[] = [];
  for await (const submission of store.of(formSubmissions).scan({ where: filter.where }))
    if (filter.isDue(submission)) ids.push(submission.id);
  return ids;
}

/** The deletions of one form's enquiries in a run so far. */
interface EnquiryDeletion {
  /** The id of the audit log's entry about these deletions. */
  readonly id: string;
  count: number;
  /** Writes the audit log's entry to the program's log as well. */
  logEntry: () => void;
}

/**
 * Moves the enquiries of `ids` to the bin if they are still due. An owner may have changed them or their form in the
 * meantime. The same transaction stores the audit log's entry with their number, so that the number is right even after
 * a crash.
 */
async function deleteDueEnquiries(
  { store, bin, clock, audit }: ClosedEnquiriesContext,
  formId: string,
  ids: readonly string[],
  deletion: EnquiryDeletion,
): Promise<void> {
  let { count, logEntry } = deletion;
  await bin.moveToBin(formSubmissions, async (transaction) => {
    // The transaction may run more than once, so each run starts from the same values.
    ({ count, logEntry } = deletion);
    const forms = await transaction.of(entities.forms).read();
    const form = forms.value.find(({ id }) => id === formId);
    const filter = form && createDueFilter(form, clock(), getSiteTimeZone(store));
    const list = transaction.of(formSubmissions);
    const deletedSubmissions: Submission[] = [];
    for (const id of ids) {
      const submission = await list.get(id);
      if (!submission || !filter?.isDue(submission)) continue;
      await list.delete(id);
      deletedSubmissions.push(submission);
    }
    if (!form || deletedSubmissions.length === 0) return [];
    count = deletion.count + deletedSubmissions.length;
    logEntry = await audit.recordInTransaction(
      transaction,
      createAuditEntry(deletion.id, form, count),
    );
    return deletedSubmissions;
  });
  Object.assign(deletion, { count, logEntry });
}

const createAuditEntry = (id: string, { title, deleteAfter }: Form, count: number): AuditEvent => ({
  id,
  kind: "data",
  action: `deleted ${formatCount(count, "closed submission")} of "${title}"`,
  detail: `Closed for ${deleteAfter} months. Can be restored from the trash for ${BIN_RETENTION_DAYS} days.`,
});

/**
 * Returns a filter for a form's enquiries that are due; undefined if the form deletes none. An enquiry is due
 * `deleteAfter` months after its last change. If the month of the due day is too short, the enquiry is due on that
 * month's last day.
 */
function createDueFilter({ id: formId, deleteAfter }: Form, now: number, zone: string) {
  if (deleteAfter === "never") return undefined;
  const months = Number(deleteAfter);
  // Enquiries sent after this time can't be due yet, so they aren't read.
  const before = new Date(now - months * SHORTEST_MONTH_MS).toISOString();
  return {
    where: { formId, stage: "closed", remindOn: null, createdAt: { before, not: null } },
    isDue: (submission: Submission) =>
      submission.formId === formId &&
      submission.stage === "closed" &&
      submission.remindOn === null &&
      toZonedTime(getLastChangeTime(submission), zone).add({ months }).epochMilliseconds <= now,
  } as const;
}

const SHORTEST_MONTH_MS = 28 * DAY;

/**
 * Returns when an enquiry last changed, in milliseconds since 1970: it was closed, got a note or a reply, or had a
 * call.
 */
function getLastChangeTime({
  createdAt,
  closedAt,
  callsUntil,
  notes,
  replies,
}: Submission): number {
  const entryTimes = [...notes, ...replies].map(({ at }) => at);
  const times = [createdAt, closedAt, callsUntil, ...entryTimes].map(parseTimestamp);
  return Math.max(...times.filter((time) => !Number.isNaN(time)));
}
