/** Letters are sent no faster than a provider allows for a new account, and without a limit to this machine. */
import { expect, test } from "bun:test";
import { getMaxLettersPerMinute } from "../../../../src/server/mail/transports/mailer.ts";

const SMTP = { kind: "smtp", port: 587, security: "starttls", username: "" } as const;

test.each([
  ["Resend", { kind: "resend" }, 100],
  ["Postmark", { kind: "postmark" }, 600],
  ["Mailgun", { kind: "mailgun", domain: "example.com", eu: false }, 300],
  ["Amazon SES", { kind: "ses", region: "eu-west-1", keyId: "key" }, 60],
  ["a mail server elsewhere", { ...SMTP, host: "mail.example.com" }, 60],
  ["this machine", { ...SMTP, host: "127.0.0.1" }, undefined],
] as const)("messages over %s are sent no faster than the provider allows", (_, account, most) => {
  expect(getMaxLettersPerMinute(account)).toBe(most);
});
