/** Notifies the owner of a testimonial written or withdrawn: by mail and on devices. */
import { entities, type Item } from "../../schema/index.ts";
import type { Block } from "../shared/message.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  dashboardButton,
  type OwnerMailContext,
  quote,
  TESTIMONIALS_PATH,
  text,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import { notifyOf } from "../notifications/listener.ts";
import type { Push } from "../notifications/push.ts";
import type { Transaction } from "../storage/store.ts";

type Testimonial = Item<"testimonials">;

export type TestimonialNews = ReturnType<typeof testimonialNews>;

const FOOT = "You sent someone a link to write a testimonial.";

interface NewsContext extends OwnerMailContext {
  readonly push: Pick<Push, "notify">;
}

/** As for enquiries: at once if the owner wants that, else with the daily message. */
export function testimonialNews(context: NewsContext) {
  const { settings, stationery, recipients, isSetUp, push } = context;
  const news = (isMailed: boolean, title: string, block: Block, body: string, id: string) => {
    const site = stationery();
    const blocks = [block, ...dashboardButton(site, "Open in the dashboard", TESTIMONIALS_PATH)];
    const message = { ...renderOwnerMessage(site, title, blocks, FOOT), about: id };
    const to = isMailed && isSetUp() ? recipients() : [];
    return [
      ...to.map((each): NewMessage => ({ ...message, kind: "testimonial", to: each })),
      ...push.notify({ title, body, link: TESTIMONIALS_PATH }, id),
    ];
  };
  return {
    /** To store with it. */
    async messagesFor({ id, name, words, receivedAt }: Testimonial, within: Transaction) {
      const { value } = await within.of(entities.mailSettings).read();
      const isMailed = notifyOf(value, receivedAt) === "at once";
      return news(isMailed, `${name} wrote you a testimonial`, quote(words), words, id);
    },
    withdrawn({ id, name }: Testimonial) {
      const title = `${name} withdrew their testimonial`;
      return news(
        settings.read().value.notify !== "off",
        title,
        text(STAYS_IN_TRASH),
        STAYS_IN_TRASH,
        id,
      );
    },
  };
}

const STAYS_IN_TRASH = "Visitors no longer see it. It stays in the trash for 30 days.";
