/** Tells the owner about a testimonial written or taken back: by mail and on devices. */
import type { Item } from "../../../schema/index.ts";
import type { NewMessage } from "../queue/outbox.ts";
import type { OwnerMailContext } from "./enquiryNews.ts";
import { linkTo, quote, TESTIMONIALS, text, written } from "./ownerMessages.ts";
import type { Push } from "./push.ts";

type Testimonial = Item<"testimonials">;

export interface TestimonialNews {
  /** To store with it. */
  received(testimonial: Testimonial): readonly NewMessage[];
  takenBack(testimonial: Testimonial): readonly NewMessage[];
}

const FOOT = "You sent someone a link to write a testimonial.";

interface NewsContext extends Pick<
  OwnerMailContext,
  "settings" | "stationery" | "recipients" | "isSetUp"
> {
  readonly push: Pick<Push, "notify">;
}

/** As for enquiries: at once if the owner wants that, else with the daily message. */
export function testimonialNews(context: NewsContext): TestimonialNews {
  const { settings, stationery, recipients, isSetUp, push } = context;
  const mails = (title: string, words: string, { id }: Testimonial): NewMessage[] => {
    const site = stationery();
    const blocks = [
      ...(words === "" ? [text(TAKEN)] : [quote(words)]),
      ...linkTo(site, "Open in the dashboard", TESTIMONIALS),
    ];
    const message = { ...written(site, title, blocks, FOOT), about: id };
    return recipients().map((to) => ({ ...message, kind: "testimonial", to }));
  };
  const chosen = () => settings.read().value.notify;
  return {
    received(testimonial) {
      const title = `${testimonial.name} wrote you a testimonial`;
      const isMailed = isSetUp() && chosen() === "at once";
      return [
        ...(isMailed ? mails(title, testimonial.words, testimonial) : []),
        ...push.notify({ title, body: testimonial.words, link: TESTIMONIALS }, testimonial.id),
      ];
    },
    takenBack(testimonial) {
      const title = `${testimonial.name} withdrew their testimonial`;
      const isMailed = isSetUp() && chosen() !== "off";
      return [
        ...(isMailed ? mails(title, "", testimonial) : []),
        ...push.notify({ title, body: TAKEN, link: TESTIMONIALS }, testimonial.id),
      ];
    },
  };
}

const TAKEN = "Visitors no longer see it. It stays in the trash for 30 days.";
