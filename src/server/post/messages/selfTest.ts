/** A daily message from the site to its owner, sent like all mail, so that a failure is noticed. */
import { entities } from "../../../schema/index.ts";
import type { SelfTestState } from "../../../schema/mailAnswers.ts";
import type { Stationery } from "../../shared/message.ts";
import type { Notice } from "../../shared/notice.ts";
import { zoneOf } from "../../shared/siteZone.ts";
import { lastHour, type OwnerMailContext } from "./enquiryNews.ts";
import { text, written } from "./ownerMessages.ts";
import type { StoredMessage } from "../queue/kinds.ts";

export interface SelfTest {
  /** Writes the day's message once its hour has come. */
  look(): Promise<void>;
  state(): Promise<SelfTestState>;
  /** A notice if the last one wasn't sent. */
  notices(): Promise<Notice[]>;
}

/** In the site's time zone; before the daily message about enquiries. */
const HOUR = 6;

export function selfTest(context: OwnerMailContext): SelfTest {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp } = context;
  const messages = store.of(entities.outbox);
  const isOn = () => settings.read().value.selfTest;
  const newest = { where: { kind: "selftest" }, newestFirst: true, offset: 0, limit: 1 } as const;
  const findLast = async () => (await messages.page(newest)).items[0];

  return {
    async look() {
      if (!isOn()) return;
      const day = new Date(lastHour(clock(), HOUR, zoneOf(store))).toISOString();
      const [to] = recipients();
      if (isSetUp() && to !== undefined) {
        const about = `self-test ${day}`;
        if (!outbox.knows(about, to))
          await outbox.add({ ...words(stationery()), kind: "selftest", to, about, isOnce: true });
      }
    },
    async state() {
      const last = await findLast();
      return { isOn: isOn(), last: last ? resultOf(last) : null };
    },
    async notices() {
      const last = isOn() ? await findLast() : undefined;
      if (!last?.problem || last.state === "sent") return [];
      return [
        {
          code: "mail_self_test",
          title: "The daily test of your mail failed",
          message: last.problem,
          opens: { screen: "mail", label: "Open Mail" },
        },
      ];
    },
  };
}

const resultOf = ({ state, problem, said, sentAt, createdAt }: StoredMessage) => ({
  state,
  problem,
  said,
  at: sentAt ?? createdAt ?? "",
});

const words = (site: Stationery) =>
  written(
    site,
    "Your mail works",
    [text("This is the daily test of your site's mail. If you can read this, email works.")],
    "You asked for a test every day, in the dashboard under Mail.",
  );
