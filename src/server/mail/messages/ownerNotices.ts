/** Emails about urgent trouble with the site, for owners who don't open the dashboard. */
import pLimit from "p-limit";
import { entities } from "../../../schema/index.ts";
import type { MessageBranding } from "../../shared/message.ts";
import type { Notice } from "../../shared/notice.ts";
import { DAY, HOUR } from "../../shared/time.ts";
import {
  button,
  small,
  text,
  type MessageContent,
  type OwnerMailContext,
  renderOwnerMessage,
} from "./ownerMessages.ts";

/** Those that can't wait for a login; mail trouble is only shown in the dashboard. */
const URGENT = /^(?:backup|certificate|mailing_list_crowd|disk_\w+)$/;

/** While trouble lasts, it is repeated after this long. */
const REPEAT_AFTER_MS = 7 * DAY;
/** Trouble not seen for this long is over. Less may be a disk near its limit, or a failed check. */
const OVER_AFTER = HOUR;

/** Returns a function that gets all current notices every minute and writes about new ones. */
export function ownerNotices(context: OwnerMailContext) {
  const { store, clock, outbox, isSetUp, stationery, recipients } = context;
  const messages = store.of(entities.outbox);

  /** When this process last saw each trouble; others may have their own disks. */
  const seenAt = new Map<string, number>();

  /** Messages of the last week. Stored ones, so that a restart repeats nothing. */
  async function sentAbout(trouble: string) {
    const createdAt = { from: new Date(clock() - REPEAT_AFTER_MS).toISOString() };
    const sent = await messages.keys({ kind: "notice", createdAt });
    return sent.filter(({ about }) => about?.startsWith(`${trouble} `));
  }

  async function write(notices: readonly Notice[]): Promise<void> {
    if (!isSetUp()) return;
    const now = clock();
    /* oxlint-disable no-await-in-loop -- a few, each counted before the next */
    for (const notice of notices.filter(({ code }) => URGENT.test(code))) {
      const trouble = troubleOf(notice);
      seenAt.set(trouble, now);
      const sent = await sentAbout(trouble);
      const message = noticeMessage(stationery(), notice);
      // If two processes check at the same time, only one writes it.
      const about = `${trouble} ${new Date(now).toISOString().slice(0, 10)}`;
      for (const to of recipients())
        if (!sent.some((each) => each.to === to))
          await outbox.add({ ...message, kind: "notice", about, to, isOnce: true });
    }
    for (const [trouble, at] of seenAt) {
      if (now - at < OVER_AFTER) continue;
      seenAt.delete(trouble);
      // If it recurs, it is sent again.
      for (const { id } of await sentAbout(trouble))
        await messages.update(id, (row) => ({ ...row, about: null }));
    }
    /* oxlint-enable no-await-in-loop */
  }

  const inTurn = pLimit(1);
  return (notices: readonly Notice[]): Promise<void> => inTurn(() => write(notices));
}

/** One trouble: 20 MB left on a disk is another than 500, "No backup for 3 days" the same as for 2. */
const troubleOf = ({ code, title, message }: Notice) =>
  `notice ${code} ${Bun.hash.wyhash(title?.replace(/\d+/g, "") ?? message).toString(36)}`;

/** The dashboard's notice, with a link to it. */
function noticeMessage(
  site: MessageBranding,
  { code, title, message, opens }: Notice,
): MessageContent {
  const named =
    title ?? (code.startsWith("disk_") ? "The disk is nearly full" : "Your site needs attention");
  const path = `/admin/dashboard${opens ? `?account=${opens.screen}` : ""}`;
  const blocks = [
    text(message),
    ...(site.siteUrl === undefined
      ? []
      : [button(opens?.label ?? "Open the dashboard", site.siteUrl + path)]),
    small("You'll be reminded once a week until this is fixed."),
  ];
  return renderOwnerMessage(
    site,
    named,
    blocks,
    `You're receiving this because you manage ${site.siteName}'s site.`,
  );
}
