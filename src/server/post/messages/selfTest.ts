/** A message a day from the site to its owner, by the way that all mail takes, so that a standstill is noticed. */
import { entities } from "../../../schema/index.ts";
import type { SelfTestState } from "../../../schema/mailAnswers.ts";
import type { Stationery } from "../../shared/message.ts";
import type { Notice } from "../../shared/notice.ts";
import { lastHour, type OwnerMailContext } from "./enquiryNews.ts";
import { text, written } from "./ownerMessages.ts";
import type { StoredMessage } from "../queue/sendingRounds.ts";

export interface SelfTest {
  /** Writes the message of the day, once its hour has come. */
  look(): Promise<void>;
  state(): Promise<SelfTestState>;
  /** What to tell when the last one has not gone. */
  notices(): Notice[];
}

/** On the server's clock: before the daily message about enquiries. */
const HOUR = 6;

/** To be made once, when the outbox has been opened. */
export function selfTest(context: OwnerMailContext): SelfTest {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp } = context;
  const messages = store.of(entities.outbox);
  const isOn = () => settings.read().value.selfTest;
  let last: StoredMessage | undefined;
  outbox.handle("selftest", { settled: (message) => void (last = message) });

  async function lookAtLast(): Promise<void> {
    const newest = { newestFirst: true, offset: 0, limit: 1 };
    last = (await messages.page({ where: { kind: "selftest" }, ...newest })).items[0];
  }

  return {
    async look() {
      if (!isOn()) return;
      const day = new Date(lastHour(clock(), HOUR)).toISOString();
      const [to] = recipients();
      if (isSetUp() && to !== undefined) {
        const about = `self-test ${day}`;
        if (!outbox.knows(about, to))
          await outbox.add({ ...words(stationery()), kind: "selftest", to, about, isOnce: true });
      }
      await lookAtLast();
    },
    async state() {
      await lookAtLast();
      return { isOn: isOn(), last: last ? resultOf(last) : null };
    },
    notices() {
      const problem = isOn() && last?.state !== "sent" ? last?.problem : undefined;
      if (!problem) return [];
      return [
        {
          code: "mail_self_test",
          title: "The daily test of your mail didn't arrive",
          message: problem,
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
    [text("This is the daily test of your site's mail. That it has arrived is all it says.")],
    "You asked for a test every day, in the dashboard under Mail.",
  );
