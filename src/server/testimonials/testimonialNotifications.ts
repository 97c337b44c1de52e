/** Notifies owners by email and on their devices that a testimonial was written or withdrawn. */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageBlock } from "../shared/message.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  createDashboardButtonBlocks,
  createQuoteBlock,
  TESTIMONIALS_PATH,
  createTextBlock,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import { getEffectiveFrequency } from "../notifications/notificationContext.ts";
import type { OwnerNotificationContext } from "../notifications/push.ts";
import type { Transaction } from "../storage/store.ts";

type Testimonial = Item<"testimonials">;

export type TestimonialNotifications = ReturnType<typeof createTestimonialNotifications>;

/** Creates notifications. As for enquiries, owners get an email at once or the daily email. */
export function createTestimonialNotifications(context: OwnerNotificationContext) {
  const { settings, getBranding, listRecipients, isSetUp, push } = context;
  const createMessages = (
    shouldMail: boolean,
    title: string,
    block: MessageBlock,
    body: string,
    id: string,
  ) => {
    const site = getBranding();
    const blocks = [block, ...createDashboardButtonBlocks(site, TESTIMONIALS_PATH)];
    const footer = `You're receiving this because this address gets notifications from ${site.siteName}'s site.`;
    const message = { ...renderOwnerMessage(site, title, blocks, footer), about: id };
    const recipients = shouldMail && isSetUp() ? listRecipients() : [];
    return [
      ...recipients.map((each): NewMessage => ({ ...message, kind: "testimonial", to: each })),
      ...push.createNotifications({ title, body, link: TESTIMONIALS_PATH }, id),
    ];
  };
  return {
    /** The caller stores the messages in `transaction`. */
    async createReceivedMessages(
      { id, name, words, receivedAt }: Testimonial,
      transaction: Transaction,
    ) {
      const { value } = await transaction.of(entities.mailSettings).read();
      const shouldMail = getEffectiveFrequency(value, receivedAt) === "at once";
      const title = `${name} wrote you a testimonial`;
      return createMessages(shouldMail, title, createQuoteBlock(words), words, id);
    },
    createWithdrawnMessages({ id, name }: Testimonial) {
      const title = `${name} withdrew their testimonial`;
      const shouldMail = settings.read().value.notify !== "off";
      const block = createTextBlock(WITHDRAWN_MESSAGE);
      return createMessages(shouldMail, title, block, WITHDRAWN_MESSAGE, id);
    },
  };
}

const WITHDRAWN_MESSAGE = "Visitors no longer see it. It stays in the trash for 30 days.";
