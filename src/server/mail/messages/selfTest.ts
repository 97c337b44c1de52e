/**
 * Two tests of mail: a daily message through the outbox, so that failures are noticed, and an immediate message on an
 * owner's request, whose result names the step that failed.
 */
import { entities } from "../../../schema/index.ts";
import type { MailTest } from "../../../schema/api/mailResponses.ts";
import { findLastOccurrenceOfHour } from "../../shared/clock.ts";
import { getMailDomain } from "../../shared/mailbox.ts";
import type { AccountWithSecret, Sender } from "../../shared/mailUrl.ts";
import type { MessageBranding } from "../../shared/message.ts";
import type { Notice } from "../../shared/notice.ts";
import { getSiteTimeZone } from "../../shared/siteZone.ts";
import { DeliveryError, DELIVERY_STEPS } from "../transports/deliveryError.ts";
import { AUTO_GENERATED_HEADERS } from "../transports/headers.ts";
import { createMailer } from "../transports/mailer.ts";
import type { StoredMessage } from "../queue/messageKinds.ts";
import { type OwnerMailContext, createTextBlock, renderOwnerMessage } from "./ownerMessages.ts";

export type SelfTest = ReturnType<typeof createSelfTest>;

/** The hour of the daily test in the site's time zone. The daily message about enquiries follows an hour later. */
const TEST_HOUR = 6;

export function createSelfTest(context: OwnerMailContext) {
  const { store, clock, outbox, settings, getBranding, listRecipients, isSetUp } = context;
  const messages = store.of(entities.outbox);
  const isOn = () => settings.read().value.selfTest;
  const newestQuery = {
    where: { kind: "selftest" },
    newestFirst: true,
    offset: 0,
    limit: 1,
  } as const;
  const findLastMessage = async () => (await messages.readPage(newestQuery)).items[0];

  return {
    /** Queues the test message of the day, unless it is queued already. */
    async queueDueMessage() {
      const [to] = listRecipients();
      if (!isOn() || !isSetUp() || to === undefined) return;
      const dueAt = findLastOccurrenceOfHour(clock(), TEST_HOUR, getSiteTimeZone(store));
      const about = `self-test ${new Date(dueAt).toISOString()}`;
      if ((await findLastMessage())?.about === about) return;
      const message = createSelfTestMessage(getBranding());
      await outbox.add({ ...message, kind: "selftest", to, about, isUnique: true });
    },
    async readState() {
      const lastMessage = await findLastMessage();
      return { isOn: isOn(), last: lastMessage ? toSelfTestResult(lastMessage) : null };
    },
    /** Returns a notice if the last daily message wasn't sent. */
    async findNotices(): Promise<Notice[]> {
      const lastMessage = isOn() ? await findLastMessage() : undefined;
      if (!lastMessage?.problem || lastMessage.state === "sent") return [];
      return [
        {
          code: "mail_self_test",
          problem: "mail",
          title: "The daily email test failed",
          message: lastMessage.problem,
          opens: { screen: "mail", label: "Open email settings" },
        },
      ];
    },
  };
}

const toSelfTestResult = ({ state, problem, said, sentAt, createdAt }: StoredMessage) => ({
  state,
  problem,
  said,
  at: sentAt ?? createdAt ?? "",
});

const createSelfTestMessage = (site: MessageBranding) =>
  renderOwnerMessage(
    site,
    "Your email works",
    [createTextBlock("This is your site's daily test email. If you can read it, email works.")],
    "You're receiving this because the daily test is on. You can turn it off in the dashboard, under Account menu > Email settings.",
  );

/** Sends a test message immediately, without the outbox. */
export async function sendTestMail(
  site: MessageBranding,
  { credentials, from }: { readonly credentials: AccountWithSecret; readonly from: Sender },
  to: string,
): Promise<MailTest> {
  const mailer = createMailer(credentials, from);
  const messageId = `<${Bun.randomUUIDv7()}@${getMailDomain(from.address)}>`;
  try {
    const message = renderOwnerMessage(
      site,
      "It works",
      [createTextBlock("Your site can send email. You don't need to do anything else.")],
      `You're receiving this because someone clicked "Send test email" on ${site.siteName}'s site.`,
    );
    const headers = AUTO_GENERATED_HEADERS;
    await mailer.send({ ...message, headers, replyTo: null, messageId, to });
    return createMailTest(undefined);
  } catch (error) {
    if (error instanceof DeliveryError) return createMailTest(error);
    throw error;
  } finally {
    mailer.close();
  }
}

function createMailTest(error: DeliveryError | undefined): MailTest {
  const failedIndex = DELIVERY_STEPS.findIndex(({ value }) => value === error?.step);
  const getStepState = (index: number) => {
    if (failedIndex === -1 || index < failedIndex) return "done";
    return index === failedIndex ? "failed" : "not tried";
  };
  return {
    ok: error === undefined,
    steps: DELIVERY_STEPS.map(({ value, label }, index) => ({
      step: value,
      label,
      state: getStepState(index),
    })),
    problem: error?.message ?? null,
    said: error?.response ?? null,
  };
}
