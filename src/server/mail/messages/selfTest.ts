/**
 * Tests of the mail: a daily message from the site to its owner, sent like all mail, so that a failure is noticed; and
 * one sent when the owner asks, with the step that failed.
 */
import { entities } from "../../../schema/index.ts";
import type { MailTest } from "../../../schema/api/mailResponses.ts";
import { lastHour } from "../../shared/clock.ts";
import type { FullAccount, Sender } from "../../shared/mailUrl.ts";
import type { MessageBranding } from "../../shared/message.ts";
import type { Notice } from "../../shared/notice.ts";
import { storeTimeZone } from "../../shared/siteZone.ts";
import { DeliveryError, SMTP_STEPS } from "../carriers/deliveryError.ts";
import { AUTO_GENERATED_HEADERS } from "../carriers/headers.ts";
import { mailer } from "../carriers/mailer.ts";
import type { StoredMessage } from "../queue/kinds.ts";
import { type OwnerMailContext, testMessage, text, renderOwnerMessage } from "./ownerMessages.ts";

export type SelfTest = ReturnType<typeof selfTest>;

/** In the site's time zone; before the daily message about enquiries. */
const TEST_HOUR = 6;

export function selfTest(context: OwnerMailContext) {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp } = context;
  const messages = store.of(entities.outbox);
  const isOn = () => settings.read().value.selfTest;
  const newest = { where: { kind: "selftest" }, newestFirst: true, offset: 0, limit: 1 } as const;
  const findLast = async () => (await messages.page(newest)).items[0];

  return {
    /** Writes the day's message once its hour has come. */
    async check() {
      if (!isOn()) return;
      const day = new Date(lastHour(clock(), TEST_HOUR, storeTimeZone(store))).toISOString();
      const [to] = recipients();
      if (isSetUp() && to !== undefined) {
        const about = `self-test ${day}`;
        if ((await findLast())?.about !== about)
          await outbox.add({
            ...selfTestMessage(stationery()),
            kind: "selftest",
            to,
            about,
            isOnce: true,
          });
      }
    },
    async state() {
      const last = await findLast();
      return { isOn: isOn(), last: last ? resultOf(last) : null };
    },
    /** A notice if the last one wasn't sent. */
    async notices(): Promise<Notice[]> {
      const last = isOn() ? await findLast() : undefined;
      if (!last?.problem || last.state === "sent") return [];
      return [
        {
          code: "mail_self_test",
          problem: "mail",
          title: "The daily email test failed",
          message: last.problem,
          opens: { screen: "mail", label: "Open email settings" },
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

const selfTestMessage = (site: MessageBranding) =>
  renderOwnerMessage(
    site,
    "Your email works",
    [text("This is your site's daily test email. If you can read it, email works.")],
    "You turned on the daily test in the dashboard, under Account menu > Email settings.",
  );

/** Sends one message immediately, past the outbox. */
export async function testMail(
  site: MessageBranding,
  { full, from }: { readonly full: FullAccount; readonly from: Sender },
  to: string,
): Promise<MailTest> {
  const each = mailer(full, from);
  const messageId = `<${Bun.randomUUIDv7()}@${from.address.split("@")[1]}>`;
  try {
    await each.send({
      ...testMessage(site),
      headers: AUTO_GENERATED_HEADERS,
      replyTo: null,
      messageId,
      to,
    });
    return stepsTo(undefined);
  } catch (error) {
    if (error instanceof DeliveryError) return stepsTo(error);
    throw error;
  } finally {
    each.close();
  }
}

function stepsTo(fault: DeliveryError | undefined): MailTest {
  const failedAt = SMTP_STEPS.findIndex(({ value }) => value === fault?.step);
  const stateOf = (at: number) => {
    if (failedAt === -1 || at < failedAt) return "done";
    return at === failedAt ? "failed" : "not tried";
  };
  return {
    ok: fault === undefined,
    steps: SMTP_STEPS.map(({ value, label }, at) => ({ step: value, label, state: stateOf(at) })),
    problem: fault?.message ?? null,
    said: fault?.reply ?? null,
  };
}
