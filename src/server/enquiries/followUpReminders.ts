/** Reminds owners once a day of due follow-ups, by email and on their devices. */
import { formatCount } from "../../schema/core/formatNumber.ts";
import { entities, type Item } from "../../schema/index.ts";
import { toZonedTime, findLastOccurrenceOfHour } from "../shared/clock.ts";
import type { MessageBlock } from "../shared/message.ts";
import { createParentFilter } from "../bin/listedItems.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";
import { NothingToSendError } from "../mail/transports/deliveryError.ts";
import type { StoredMessage } from "../mail/queue/messageKinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  findEmail,
  SUBMISSIONS_PATH,
  createHeadingBlock,
  createDashboardButtonBlocks,
  findName,
  createEnquiryPath,
  createTextBlock,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import type { OwnerNotificationContext } from "../notifications/push.ts";

type Submission = Item<"formSubmissions">;

/** The hour at which reminders are sent, in the site's time zone. */
const REMINDER_HOUR = 8;
/** The maximum number of submissions in an email: mail programs cut off longer emails. */
const MAX_LISTED_SUBMISSIONS = 40;

export function createFollowUpReminders(context: OwnerNotificationContext) {
  const { store, clock, outbox, settings, getBranding, listRecipients, isSetUp, push } = context;
  const submissions = store.of(entities.formSubmissions);

  function createMessages(day: string, count: number): NewMessage[] {
    const title = formatReminderTitle(count);
    const { notify } = settings.read().value;
    const { subject } = renderOwnerMessage(getBranding(), title, [], REMINDER_FOOT);
    const message = { kind: "followUp", subject, text: "", html: "", about: day } as const;
    const notification = { title, body: 'See "Today" in the Forms tab.', link: SUBMISSIONS_PATH };
    return [
      ...(isSetUp() && notify !== "off" ? listRecipients().map((to) => ({ ...message, to })) : []),
      ...push.createNotifications(notification, day),
    ];
  }

  return {
    /** Renders the email just before it is sent, so that it contains nobody who was erased in the meantime. */
    async renderMessage({ about }: Pick<StoredMessage, "about">) {
      const dueSubmissions = await findDueSubmissions(store, about ?? "");
      if (dueSubmissions.length === 0) throw new NothingToSendError(NOTHING_LEFT_MESSAGE);
      const site = getBranding();
      const blocks = dueSubmissions
        .slice(0, MAX_LISTED_SUBMISSIONS)
        .flatMap(({ notes, questions, ...submission }): MessageBlock[] => [
          createHeadingBlock(findName(questions) ?? findEmail(questions) ?? "Someone"),
          ...(notes.at(-1)?.text.split("\n", 1) ?? []).map(createTextBlock),
          ...createDashboardButtonBlocks(site, createEnquiryPath(submission)),
        ]);
      const title = formatReminderTitle(dueSubmissions.length);
      return renderOwnerMessage(site, title, blocks, REMINDER_FOOT);
    },
    async queueDueMessage() {
      const zone = getSiteTimeZone(store);
      const dueAt = findLastOccurrenceOfHour(clock(), REMINDER_HOUR, zone);
      const isQueued = ({ followUpsAt }: Item<"mailSettings">) =>
        Date.parse(followUpsAt ?? "") >= dueAt;
      if (isQueued(settings.read().value)) return;
      if ((await submissions.count({ remindOn: { not: null } })) === 0) return;
      const day = toZonedTime(dueAt, zone).toPlainDate().toString();
      const { length: count } = await findDueSubmissions(store, day);
      await outbox.addInTransaction(async (transaction) => {
        const document = transaction.of(entities.mailSettings);
        if (isQueued((await document.read()).value)) return [];
        await document.update((each) => ({ ...each, followUpsAt: new Date(dueAt).toISOString() }));
        return count > 0 ? createMessages(day, count) : [];
      });
    },
  };
}

const formatReminderTitle = (count: number) => `${formatCount(count, "reminder")} due`;
const REMINDER_FOOT = "A reminder was set for each of these submissions.";
const NOTHING_LEFT_MESSAGE = "No reminder was due anymore, so this message wasn't sent.";

/** Finds the enquiries with a reminder due by `day`, longest overdue first, without those of deleted forms. */
async function findDueSubmissions(store: Store, day: string): Promise<Submission[]> {
  const { formSubmissions } = entities;
  const remindOn = { not: null, upTo: day };
  const where = { ...createParentFilter(store, formSubmissions), remindOn };
  const dueSubmissions = await Array.fromAsync(store.of(formSubmissions).scan({ where }));
  return dueSubmissions.toSorted((one, other) =>
    (one.remindOn ?? "") < (other.remindOn ?? "") ? -1 : 1,
  );
}
