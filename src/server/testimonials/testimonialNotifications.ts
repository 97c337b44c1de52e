/** Notifies the owner of a testimonial written or withdrawn: by mail and on devices. */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageBlock } from "../shared/message.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  dashboardButtonBlocks,
  type OwnerMailContext,
  quoteBlock,
  TESTIMONIALS_PATH,
  textBlock,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import { notifyOf } from "../notifications/listener.ts";
import type { PushNotifications } from "../notifications/push.ts";
import type { Transaction } from "../storage/store.ts";

type Testimonial = Item<"testimonials">;

export type TestimonialNotifications = ReturnType<typeof createTestimonialNotifications>;

const NOTIFICATION_FOOT = "You sent someone a link to write a testimonial.";

interface TestimonialNotificationsContext extends OwnerMailContext {
  readonly push: Pick<PushNotifications, "createNotifications">;
}

/** As for enquiries: at once if the owner wants that, else with the daily message. */
export function createTestimonialNotifications(context: TestimonialNotificationsContext) {
  const { settings, stationery, recipients, isSetUp, push } = context;
  const news = (
    isMailed: boolean,
    title: string,
    block: MessageBlock,
    body: string,
    id: string,
  ) => {
    const site = stationery();
    const blocks = [
      block,
      ...dashboardButtonBlocks(site, "Open in the dashboard", TESTIMONIALS_PATH),
    ];
    const message = { ...renderOwnerMessage(site, title, blocks, NOTIFICATION_FOOT), about: id };
    const to = isMailed && isSetUp() ? recipients() : [];
    return [
      ...to.map((each): NewMessage => ({ ...message, kind: "testimonial", to: each })),
      ...push.createNotifications({ title, body, link: TESTIMONIALS_PATH }, id),
    ];
  };
  return {
    /** To store with it. */
    async messagesFor({ id, name, words, receivedAt }: Testimonial, within: Transaction) {
      const { value } = await within.of(entities.mailSettings).read();
      const isMailed = notifyOf(value, receivedAt) === "at once";
      return news(isMailed, `${name} wrote you a testimonial`, quoteBlock(words), words, id);
    },
    withdrawn({ id, name }: Testimonial) {
      const title = `${name} withdrew their testimonial`;
      return news(
        settings.read().value.notify !== "off",
        title,
        textBlock(STAYS_IN_TRASH_MESSAGE),
        STAYS_IN_TRASH_MESSAGE,
        id,
      );
    },
  };
}

const STAYS_IN_TRASH_MESSAGE = "Visitors no longer see it. It stays in the trash for 30 days.";
