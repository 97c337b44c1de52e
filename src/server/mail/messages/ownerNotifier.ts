/** Emails about urgent problems with the site, for owners who don't open the dashboard. */
import pLimit from "p-limit";
import { entities } from "../../../schema/index.ts";
import type { MessageBranding } from "../../shared/message.ts";
import type { Notice } from "../../shared/notice.ts";
import { DAY, HOUR } from "../../shared/time.ts";
import {
  createDashboardButtonBlocks,
  createSmallTextBlock,
  createTextBlock,
  type MessageContent,
  type OwnerMailContext,
  renderOwnerMessage,
} from "./ownerMessages.ts";

/** Matches the codes of notices that are also emailed. Problems with mail are only shown in the dashboard. */
const URGENT_CODE_PATTERN = /^(?:backup|certificate|mailing_list_crowd|disk_\w+)$/;

/** The time between two emails about the same problem. */
const REMINDER_INTERVAL_MS = 7 * DAY;
/** A problem that isn't reported for this long is over. Shorter gaps occur near a disk's limit, or if a check fails. */
const PROBLEM_ENDS_AFTER_MS = HOUR;

/** Returns a function that emails the owners about new problems. Call it every minute with all current notices. */
export function createOwnerNotifier(context: OwnerMailContext) {
  const { store, clock, outbox, isSetUp, getBranding, listRecipients } = context;
  const messages = store.of(entities.outbox);

  /** The time of each problem's last report in this process. It isn't shared: other instances may have other disks. */
  const lastReportedAt = new Map<string, number>();

  /** Finds the last week's messages about a problem in the outbox, so that a restart doesn't send them again. */
  async function findMessagesAbout(problemKey: string) {
    const createdAt = { from: new Date(clock() - REMINDER_INTERVAL_MS).toISOString() };
    const recentMessages = await messages.readKeys({ kind: "notice", createdAt });
    return recentMessages.filter(({ about }) => about?.startsWith(`${problemKey} `));
  }

  async function notifyOwners(notices: readonly Notice[]): Promise<void> {
    if (!isSetUp()) return;
    const now = clock();
    /* oxlint-disable no-await-in-loop -- a few messages, each counted before the next */
    for (const notice of notices.filter(({ code }) => URGENT_CODE_PATTERN.test(code))) {
      const problemKey = createProblemKey(notice);
      lastReportedAt.set(problemKey, now);
      const recentMessages = await findMessagesAbout(problemKey);
      const message = createNoticeMessage(getBranding(), notice);
      // The day makes `about` the same on all instances, so `isUnique` lets them store only one message per day.
      const about = `${problemKey} ${new Date(now).toISOString().slice(0, 10)}`;
      for (const to of listRecipients())
        if (!recentMessages.some((each) => each.to === to))
          await outbox.add({ ...message, kind: "notice", about, to, isUnique: true });
    }
    for (const [problemKey, seenAt] of lastReportedAt) {
      if (now - seenAt < PROBLEM_ENDS_AFTER_MS) continue;
      lastReportedAt.delete(problemKey);
      // Unlinks the problem's messages, so that a recurrence is emailed at once instead of a week after them.
      for (const { id } of await findMessagesAbout(problemKey))
        await messages.update(id, (row) => ({ ...row, about: null }));
    }
    /* oxlint-enable no-await-in-loop */
  }

  const limitConcurrency = pLimit(1);
  return (notices: readonly Notice[]): Promise<void> =>
    limitConcurrency(() => notifyOwners(notices));
}

/**
 * Returns a key that identifies a problem. Numbers in titles are ignored, so "No backup for 3 days" is the same problem
 * as "No backup for 2 days". Numbers in messages count: "20 MB left" is a different problem from "500 MB left".
 */
const createProblemKey = ({ code, title, message }: Notice) =>
  `notice ${code} ${Bun.hash.wyhash(title?.replace(/\d+/g, "") ?? message).toString(36)}`;

function createNoticeMessage(
  site: MessageBranding,
  { code, title, message, opens }: Notice,
): MessageContent {
  const subject =
    title ?? (code.startsWith("disk_") ? "The disk is nearly full" : "Your site needs attention");
  const path = `/admin/dashboard${opens ? `?account=${opens.screen}` : ""}`;
  const blocks = [
    createTextBlock(message),
    ...createDashboardButtonBlocks(site, path, opens?.label ?? "Open the dashboard"),
    createSmallTextBlock("You'll be reminded once a week until this is fixed."),
  ];
  const footer = `You're receiving this because you manage ${site.siteName}'s site.`;
  return renderOwnerMessage(site, subject, blocks, footer);
}
