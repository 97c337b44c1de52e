/** Tells the owner about a testimonial written or taken back: by mail and on devices. */
import type { Item } from "../../schema/index.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  dashboardButton,
  type OwnerMailContext,
  quote,
  TESTIMONIALS_PATH,
  text,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import type { Push } from "../notifications/push.ts";

type Testimonial = Item<"testimonials">;

export type TestimonialNews = ReturnType<typeof testimonialNews>;

const FOOT = "You sent someone a link to write a testimonial.";

interface NewsContext extends Pick<
  OwnerMailContext,
  "settings" | "stationery" | "recipients" | "isSetUp"
> {
  readonly push: Pick<Push, "notify">;
}

/** As for enquiries: at once if the owner wants that, else with the daily message. */
export function testimonialNews(context: NewsContext) {
  const { settings, stationery, recipients, isSetUp, push } = context;
  const mails = (title: string, words: string, { id }: Testimonial): NewMessage[] => {
    const site = stationery();
    const blocks = [
      ...(words === "" ? [text(TAKEN)] : [quote(words)]),
      ...dashboardButton(site, "Open in the dashboard", TESTIMONIALS_PATH),
    ];
    const message = { ...renderOwnerMessage(site, title, blocks, FOOT), about: id };
    return recipients().map((to) => ({ ...message, kind: "testimonial", to }));
  };
  const chosen = () => settings.read().value.notify;
  return {
    /** To store with it. */
    received(testimonial: Testimonial) {
      const title = `${testimonial.name} wrote you a testimonial`;
      const isMailed = isSetUp() && chosen() === "at once";
      return [
        ...(isMailed ? mails(title, testimonial.words, testimonial) : []),
        ...push.notify({ title, body: testimonial.words, link: TESTIMONIALS_PATH }, testimonial.id),
      ];
    },
    withdrawn(testimonial: Testimonial) {
      const title = `${testimonial.name} withdrew their testimonial`;
      const isMailed = isSetUp() && chosen() !== "off";
      return [
        ...(isMailed ? mails(title, "", testimonial) : []),
        ...push.notify({ title, body: TAKEN, link: TESTIMONIALS_PATH }, testimonial.id),
      ];
    },
  };
}

const TAKEN = "Visitors no longer see it. It stays in the trash for 30 days.";
