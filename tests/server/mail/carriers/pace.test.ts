/** Letters leave no faster than a provider lets a new account; this machine takes what it is given. */
import { expect, test } from "bun:test";
import type { MailAccount } from "../../../../src/schema/people/mail.ts";
import { letterRateLimiter } from "../../../../src/server/mail/carriers/mailer.ts";

const SMTP = { kind: "smtp", port: 587, security: "starttls", username: "" } as const;
const to = (account: MailAccount) => letterRateLimiter(() => account);

test.each([
  ["Resend", { kind: "resend" }, 100],
  ["Postmark", { kind: "postmark" }, 600],
  ["Mailgun", { kind: "mailgun", domain: "example.com", eu: false }, 300],
  ["Amazon SES", { kind: "ses", region: "eu-west-1", keyId: "key" }, 60],
  ["a mail server elsewhere", { ...SMTP, host: "mail.example.com" }, 60],
  ["this machine", { ...SMTP, host: "127.0.0.1" }, undefined],
] as const)("by %s so many go in a minute", (_, account, most) => {
  expect(to(account).perMinute()).toBe(most);
});

test("each waits for its turn after the one before, but not where it is to stop", async () => {
  const pace = to({ kind: "postmark" });
  const began = performance.now();
  for (let at = 0; at < 3; at++) await pace.wait(); // oxlint-disable-line no-await-in-loop -- one after the other
  expect(performance.now() - began).toBeGreaterThan(195);
  const slow = to({ kind: "ses", region: "eu-west-1", keyId: "key" });
  await slow.wait();
  const held = slow.wait();
  slow.release();
  await held;
});
