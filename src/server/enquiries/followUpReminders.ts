/** A daily reminder of today's follow-ups: by mail, like enquiries, and on devices. */
import { entities, type Item } from "../../schema/index.ts";
import { inZone, lastOccurrenceOfHour } from "../shared/clock.ts";
import type { MessageBlock } from "../shared/message.ts";
import { createParentFilter } from "../bin/listedItems.ts";
import { getStoreTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";
import { NothingToSend } from "../mail/carriers/deliveryError.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  findEmail,
  SUBMISSIONS_PATH,
  headingBlock,
  dashboardButtonBlocks,
  findName,
  type OwnerMailContext,
  enquiryPath,
  textBlock,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import type { PushNotifications } from "../notifications/push.ts";

type Submission = Item<"formSubmissions">;

/** In the site's time zone. */
const REMINDER_HOUR = 8;
/** Mail programs would cut off more. */
const MAX_LISTED_SUBMISSIONS = 40;

interface FollowUpContext extends OwnerMailContext {
  readonly push: Pick<PushNotifications, "createNotifications">;
}

export function createFollowUpReminders(context: FollowUpContext) {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp, push } = context;
  const submissions = store.of(entities.formSubmissions);

  function messagesOf(day: string, count: number): NewMessage[] {
    const title = reminderTitle(count);
    const { notify } = settings.read().value;
    const { subject } = renderOwnerMessage(stationery(), title, [], REMINDER_FOOT);
    const mail = { kind: "followUp", subject, text: "", html: "", about: day } as const;
    return [
      ...(isSetUp() && notify !== "off" ? recipients().map((to) => ({ ...mail, to })) : []),
      ...push.createNotifications(
        { title, body: 'Open "Today" to see them.', link: SUBMISSIONS_PATH },
        day,
      ),
    ];
  }

  return {
    /** Written on sending, so that nobody erased in the meantime is in it. */
    async write({ about }: Pick<StoredMessage, "about">) {
      const due = await findDueSubmissions(store, about ?? "");
      if (due.length === 0) throw new NothingToSend(NOTHING_LEFT_MESSAGE);
      const site = stationery();
      const blocks = due
        .slice(0, MAX_LISTED_SUBMISSIONS)
        .flatMap(({ notes, questions, ...each }): MessageBlock[] => [
          headingBlock(findName(questions) ?? findEmail(questions) ?? "Someone"),
          ...(notes.at(-1)?.text.split("\n", 1) ?? []).map(textBlock),
          ...dashboardButtonBlocks(site, "Open in the dashboard", enquiryPath(each)),
        ]);
      return renderOwnerMessage(site, reminderTitle(due.length), blocks, REMINDER_FOOT);
    },
    /** Queues the day's message once its hour has come. Writes nothing if no reminders are set. */
    async check() {
      const zone = getStoreTimeZone(store);
      const now = lastOccurrenceOfHour(clock(), REMINDER_HOUR, zone);
      const isSent = ({ followUpsAt }: Item<"mailSettings">) =>
        Date.parse(followUpsAt ?? "") >= now;
      if (isSent(settings.read().value)) return;
      if ((await submissions.count({ remindOn: { not: null } })) === 0) return;
      const day = inZone(now, zone).toPlainDate().toString();
      const { length: count } = await findDueSubmissions(store, day);
      await outbox.addInTransaction(async (transaction) => {
        let isMine = false;
        await transaction.of(entities.mailSettings).update((value) => {
          isMine = !isSent(value);
          return isMine ? { ...value, followUpsAt: new Date(now).toISOString() } : value;
        });
        return isMine && count > 0 ? messagesOf(day, count) : [];
      });
    },
  };
}

const reminderTitle = (count: number) =>
  `${count === 1 ? "1 reminder" : `${count} reminders`} due today`;
const REMINDER_FOOT = "You set a reminder for each of these submissions.";
const NOTHING_LEFT_MESSAGE = "These reminders were completed before the email was sent.";

/** Enquiries of existing forms that are due, longest overdue first. */
async function findDueSubmissions(store: Store, day: string): Promise<Submission[]> {
  const submissions = store.of(entities.formSubmissions);
  const keys = await submissions.keys({
    ...createParentFilter(store, entities.formSubmissions),
    remindOn: { not: null, upTo: day },
  });
  const due = await Promise.all(keys.map(({ id }) => submissions.get(id)));
  return due
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => ((one.remindOn ?? "") < (other.remindOn ?? "") ? -1 : 1));
}
