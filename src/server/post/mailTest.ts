/** "Send a test message": the steps, and the one that failed. */
import type { MailTest } from "../../schema/mailAnswers.ts";
import { MailFault, STEPS } from "./carriers/fault.ts";
import { testMessage } from "./messages/ownerMessages.ts";
import type { Mail, SendingAccount } from "./mail.ts";
import { mailer } from "./carriers/mailer.ts";
import { AUTOMATIC } from "./carriers/headers.ts";

/** Sends one message immediately, past the outbox. */
export async function testMail(
  mail: Mail,
  { full, from }: SendingAccount,
  to: string,
): Promise<MailTest> {
  const each = mailer(full, from);
  const messageId = `<${Bun.randomUUIDv7()}@${from.address.split("@")[1]}>`;
  try {
    await each.send({
      ...testMessage(mail.stationery()),
      headers: AUTOMATIC,
      replyTo: null,
      messageId,
      to,
    });
    return resultOf(undefined);
  } catch (error) {
    if (error instanceof MailFault) return resultOf(error);
    throw error;
  } finally {
    each.close();
  }
}

function resultOf(fault: MailFault | undefined): MailTest {
  const failedAt = STEPS.findIndex(({ value }) => value === fault?.step);
  const stateOf = (at: number) => {
    if (failedAt === -1 || at < failedAt) return "done";
    return at === failedAt ? "failed" : "not tried";
  };
  return {
    ok: fault === undefined,
    steps: STEPS.map(({ value, label }, at) => ({ step: value, label, state: stateOf(at) })),
    problem: fault?.message ?? null,
    said: fault?.said ?? null,
  };
}
