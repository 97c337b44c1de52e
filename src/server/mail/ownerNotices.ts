/** What an owner should hear of even when nobody looks at the dashboard: troubles of the site, by mail. */
import { entities } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import type { Stationery } from "../shared/message.ts";
import type { Notice } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";
import type { Outbox } from "./outbox.ts";
import { button, small, text, type Words, written } from "./ownerMessages.ts";

/** Those that can't wait until somebody logs in; trouble with mail itself is in the dashboard alone. */
const URGENT = /^(?:backup|certificate|disk_\w+)$/;

/** While it lasts, a trouble is told again after so long. */
const AGAIN = 7 * 24 * 60 * 60 * 1000;

interface OwnerNoticesContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly isSetUp: () => boolean;
  readonly stationery: () => Stationery;
  readonly recipients: () => readonly string[];
}

/** Returns what is given all notices there are, every minute, and writes of those that are new. */
export function ownerNotices(context: OwnerNoticesContext) {
  const { store, clock, outbox, isSetUp, stationery, recipients } = context;
  const messages = store.of(entities.outbox);

  /** By what has been written, so that a restart tells nothing twice. */
  async function wasTold(about: string, to: string): Promise<boolean> {
    const createdAt = { from: new Date(clock() - AGAIN).toISOString() };
    return (await messages.keys({ kind: "notice", about, to, createdAt })).length > 0;
  }

  async function tell(notices: readonly Notice[]): Promise<void> {
    if (!isSetUp()) return;
    for (const notice of notices.filter(({ code }) => URGENT.test(code)))
      for (const to of recipients()) {
        const about = `notice ${notice.code}`;
        /* oxlint-disable no-await-in-loop -- a few at most, each counted before the next */
        if (!(await wasTold(about, to)))
          await outbox.add({ ...noticeMessage(stationery(), notice), kind: "notice", about, to });
        /* oxlint-enable no-await-in-loop */
      }
  }

  let last: Promise<void> = Promise.resolve();
  return (notices: readonly Notice[]): Promise<void> =>
    (last = last.catch(() => {}).then(() => tell(notices)));
}

/** What the dashboard says, with the way there. */
export function noticeMessage(site: Stationery, { code, title, message, opens }: Notice): Words {
  const named =
    title ?? (code.startsWith("disk_") ? "The disk is nearly full" : "Your site needs a look");
  const path = `/admin/dashboard${opens ? `?account=${opens.screen}` : ""}`;
  const blocks = [
    text(message),
    ...(site.siteUrl === undefined
      ? []
      : [button(opens?.label ?? "Open the dashboard", site.siteUrl + path)]),
    small("While it lasts, you hear of it once a week."),
  ];
  return written(site, named, blocks, `You log in to the site of ${site.siteName}.`);
}
