/** Moves closed enquiries to the bin, some months (the form's `deleteAfter`) after their last change. */
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
  /** The trusted clock: a machine's clock that is months ahead would move all closed enquiries to the bin. */
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

const BATCH_SIZE = 100;

/** Moves due closed enquiries to the bin. After `shouldContinue` returned false, the next run continues. */
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

/** The deletions of a form's enquiries in one run. */
interface EnquiryDeletion {
  /** The id of the audit log's entry. */
  readonly id: string;
  count: number;
  /** Writes the audit log's entry to the program's log as well. */
  logEntry: () => void;
}

/**
 * Moves enquiries to the bin if they are still due: an owner may have changed them or their form in the meantime.
 * Stores the audit log's entry in the same transaction, so that its number is right even after a crash.
 */
async function deleteDueEnquiries(
  { store, bin, clock, audit }: ClosedEnquiriesContext,
  formId: string,
  ids: readonly string[],
  deletion: EnquiryDeletion,
): Promise<void> {
  let { count, logEntry } = deletion;
  await bin.moveToBin(formSubmissions, async (transaction) => {
    // Starts from the same values each time, since the transaction may run more than once.
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

/** Returns a filter for a form's due enquiries; undefined if the form deletes none. */
function createDueFilter({ id: formId, deleteAfter }: Form, now: number, zone: string) {
  if (deleteAfter === "never") return undefined;
  const months = Number(deleteAfter);
  // Enquiries sent later can't be due yet, so they aren't read.
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

/** Returns when an enquiry last changed, got a note or a reply, or had a call, in milliseconds since 1970. */
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
