/** Single messages about enquiries are written even if the list of messages can't be read. */
import { expect, test } from "bun:test";
import type { Outbox } from "../../../src/server/mail/queue/outbox.ts";
import { limitMessagesPerHour } from "../../../src/server/notifications/hourlyLimit.ts";
import { cannotStore } from "../../../src/server/shared/errors.ts";

test("the limit of 30 messages an hour is kept even while the stored messages can't be read", async () => {
  const outbox: Pick<Outbox, "findRecipientsSince"> = {
    findRecipientsSince: async () => {
      throw cannotStore("The database can't be reached.");
    },
  };
  const write = limitMessagesPerHour(
    { outbox: outbox as Outbox, clock: () => Date.now() },
    {
      kind: "enquiry",
      findRecipients: () => ["ada@example.com"],
      createMessage: () => ({ kind: "enquiry", subject: "New submission", text: "", html: "" }),
      createOverflowMessage: () => ({ kind: "enquiry", subject: "More submissions" }),
    },
  );
  const createdAt = new Date().toISOString();
  const subjects: string[] = [];
  for (let nth = 0; nth < 31; nth++) {
    const submission = { id: `id-${nth}`, createdAt } as Parameters<typeof write>[0];
    for (const { subject } of await write(submission, "at once")) subjects.push(subject);
  }
  expect(subjects).toEqual([...Array<string>(30).fill("New submission"), "More submissions"]);
});
