/** Messages as bytes: any typed text is read back unchanged, in lines that every server accepts. */
import { expect, test } from "bun:test";
import { assert, asyncProperty, constantFrom, oneof, string } from "fast-check";
import PostalMime from "postal-mime";
import {
  AUTO_GENERATED_HEADERS,
  toOneLine,
} from "../../../../src/server/mail/transports/headers.ts";
import { createMime } from "../../../../src/server/mail/transports/mailer.ts";
import type { OutgoingMessage } from "../../../../src/server/shared/message.ts";

const message: OutgoingMessage = {
  messageId: "<1@example.com>",
  to: "ann@example.com",
  replyTo: null,
  subject: "Hello",
  text: "Words",
  html: "<p>Words</p>",
  headers: AUTO_GENERATED_HEADERS,
};
const from = { name: "Vera", address: "vera@example.com" };
const DATE = new Date("2026-11-22T08:05:09Z");

const createMessage = async (changes: Partial<OutgoingMessage>, name = from.name) =>
  (await createMime({ ...message, ...changes }, { ...from, name }, DATE)).toString("latin1");
const read = async (changes: Partial<OutgoingMessage>, name = from.name) =>
  PostalMime.parse(await createMessage(changes, name));

const anyText = oneof(
  string({ unit: "binary", maxLength: 300 }),
  string({ maxLength: 300 }),
  constantFrom(
    '"Vera" <evil@example.com>, all@example.com',
    "a  b",
    `${"long ".repeat(60)}end`,
    "x".repeat(300),
    "żółw 🎭 👩‍👩‍👧 ".repeat(30),
    "مرحبا بالعالم ".repeat(20),
    " spaces around \t\n. a dot\n..\nFrom here = there=\r\n",
  ),
  // A lone carriage return ends no line.
).map((text) => text.replaceAll(/\r(?!\n)/g, ""));

test("typed text arrives unchanged in a message", async () => {
  await assert(
    asyncProperty(anyText, anyText, anyText, async (subject, text, name) => {
      // With an end mark, since the parser drops empty lines at the end.
      const email = await read({ subject, text: `${text}|`, html: `<p>${text}</p>` }, name);
      expect(email.subject ?? "").toBe(toOneLine(subject));
      expect(email.from).toEqual({ name: toOneLine(name), address: from.address });
      expect(email.to).toEqual([{ name: "", address: "ann@example.com" }]);
      expect(normalizeBody(email.text)).toBe(normalizeText(`${text}|`));
      expect(normalizeBody(email.html)).toBe(normalizeText(`<p>${text}</p>`));
    }),
    { numRuns: 300 },
  );
});

test("every line of a message is ASCII, and short enough for any mail server", async () => {
  await assert(
    asyncProperty(anyText, anyText, async (subject, text) => {
      const mime = await createMessage({ subject, text });
      expect(mime).toMatch(/^[\r\n\t\x20-\x7e]*$/);
      expect(mime.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      expect(Math.max(...mime.split("\r\n").map((line) => line.length))).toBeLessThan(998);
    }),
    { numRuns: 100 },
  );
});

test("a message has the headers of its kind, the sender, the one recipient and Reply-To", async () => {
  const leave = `<https://vera.example/leave/${"t".repeat(90)}>`;
  const headers = { ...AUTO_GENERATED_HEADERS, "List-Unsubscribe": leave };
  const email = await read({ replyTo: "bob@example.com", headers });
  const byName = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));
  expect(byName).toMatchObject({
    from: "Vera <vera@example.com>",
    to: "ann@example.com",
    "reply-to": "bob@example.com",
    subject: "Hello",
    "message-id": "<1@example.com>",
    date: "Sun, 22 Nov 2026 08:05:09 +0000",
    "auto-submitted": "auto-generated",
    "x-auto-response-suppress": "All",
    "list-unsubscribe": leave,
    "mime-version": "1.0",
  });
  expect(byName["content-type"]).toStartWith("multipart/alternative;");
});

test("the headers for the unsubscribe link and the Message-ID are never broken into several lines", async () => {
  const leave = `<https://${"vera".repeat(12)}.example/unsubscribe?t=${"t".repeat(300)}>`;
  const messageId = `<${Bun.randomUUIDv7()}@${"long".repeat(15)}.example>`;
  const mime = await createMessage({
    messageId,
    headers: { ...AUTO_GENERATED_HEADERS, "List-Unsubscribe": leave },
  });
  const lines = mime.split("\r\n");
  expect(lines).toContain(`List-Unsubscribe: ${leave}`);
  expect(lines).toContain(`Message-ID: ${messageId}`);
  const injected = await createMessage({ headers: { "X-Own": "a\r\nBcc: all@example.com" } });
  expect(injected).not.toContain("\r\nBcc:");
});

test("typed text can't add a header, a recipient or a part", async () => {
  const mean = "a\r\nBcc: all@example.com\r\n\r\n--=_limelight\r\nwords";
  const email = await read(
    { subject: mean, text: mean, to: "ann@example.com>,<b@example.com\r\nBcc: c@example.com" },
    mean,
  );
  expect(email.headers.map(({ key }) => key)).not.toContain("bcc");
  expect(email.to!.length).toBe(1);
  expect(email.bcc).toBeUndefined();
  expect(normalizeBody(email.text)).toBe(normalizeText(mean));
  expect(normalizeBody(email.html)).toBe("<p>Words</p>");
});

/** The parser ends the last line, and keeps line breaks in base64. */
const normalizeBody = (parseMessage: string | undefined) =>
  parseMessage?.replaceAll("\r\n", "\n").replace(/\n$/, "");
/** A message has one kind of line break, and all lone surrogates become the same character. */
const normalizeText = (text: string) => text.replaceAll(/\r\n|\r|\n/g, "\n").toWellFormed();

test("a calendar file arrives unchanged, in lines that every server accepts", async () => {
  const calendar = `BEGIN:VCALENDAR\r\nSUMMARY:${"żółw 🎭 ".repeat(200)}\r\nEND:VCALENDAR\r\n`;
  const bytes = await createMessage({ calendar });
  for (const line of bytes.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
  const { attachments, text } = await read({ calendar });
  const [, base64 = ""] = /call\.ics[^]*?\r\n\r\n([\w+/=\r\n]+)/.exec(bytes) ?? [];
  expect(attachments).toMatchObject([{ filename: "call.ics", mimeType: "text/calendar" }]);
  expect(Buffer.from(base64, "base64").toString()).toBe(calendar);
  expect(text?.trim()).toBe("Words");
});
