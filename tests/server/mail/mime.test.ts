/** A message as bytes: whatever was typed is read back as it was, in lines that every server takes. */
import { expect, test } from "bun:test";
import { assert, asyncProperty, constantFrom, oneof, property, string } from "fast-check";
import PostalMime from "postal-mime";
import { AUTOMATIC, oneLine } from "../../../src/server/mail/headers.ts";
import { mimeOf } from "../../../src/server/mail/mime.ts";
import type { OutgoingMessage } from "../../../src/server/shared/message.ts";

const message: OutgoingMessage = {
  messageId: "<1@example.com>",
  to: "ann@example.com",
  replyTo: null,
  subject: "Hello",
  text: "Words",
  html: "<p>Words</p>",
  headers: AUTOMATIC,
};
const from = { name: "Vera", address: "vera@example.com" };
const AT = new Date("2026-11-22T08:05:09Z");

const read = (changes: Partial<OutgoingMessage>, name = from.name) =>
  PostalMime.parse(mimeOf({ ...message, ...changes }, { ...from, name }, AT));
const headersOf = (mime: string) => mime.slice(0, mime.indexOf("\r\n\r\n"));

const anything = oneof(
  string({ unit: "binary", maxLength: 300 }),
  string({ maxLength: 300 }),
  constantFrom(
    "=?UTF-8?B?4pyT?=",
    '"Vera" <evil@example.com>, all@example.com',
    "a  b",
    `${"long ".repeat(60)}end`,
    "x".repeat(1200),
    "żółw 🎭 👩‍👩‍👧 ".repeat(30),
    "مرحبا بالعالم ".repeat(20),
    " spaces around \t\n. a dot\n..\nFrom here = there=\r\n",
  ),
);

test("whatever was typed is read back as it was", async () => {
  await assert(
    asyncProperty(anything, anything, anything, async (subject, text, name) => {
      // With an end, since the reader keeps no empty lines behind it.
      const email = await read({ subject, text: `${text}|`, html: `<p>${text}</p>` }, name);
      expect(email.subject ?? "").toBe(oneLine(subject));
      expect(email.from).toEqual({ name: oneLine(name), address: from.address });
      expect(email.to).toEqual([{ name: "", address: "ann@example.com" }]);
      expect(body(email.text)).toBe(asRead(`${text}|`));
      expect(body(email.html)).toBe(asRead(`<p>${text}</p>`));
    }),
    { numRuns: 300 },
  );
});

test("every line is short, and of ASCII", () => {
  assert(
    property(anything, anything, (subject, text) => {
      const mime = mimeOf({ ...message, subject, text }, from, AT);
      expect(mime).toMatch(/^[\r\n\t\x20-\x7e]*$/);
      expect(mime.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      const lines = mime.split("\r\n").map((line) => line.length);
      expect(Math.max(...lines.slice(headersOf(mime).split("\r\n").length))).toBeLessThanOrEqual(
        76,
      );
      expect(Math.max(...lines)).toBeLessThan(998);
    }),
  );
});

test("its headers, to the letter", () => {
  const long = "A subject that is too long for one line of a message, and is folded at a space";
  const leave = `<https://vera.example/leave/${"t".repeat(90)}>`;
  const headers = { ...AUTOMATIC, "List-Unsubscribe": leave };
  const replyTo = "bob@example.com";
  expect(headersOf(mimeOf({ ...message, replyTo, subject: long, headers }, from, AT))).toBe(
    [
      "From: Vera <vera@example.com>",
      "To: <ann@example.com>",
      "Reply-To: <bob@example.com>",
      "Subject: A subject that is too long for one line of a message, and is folded",
      " at a space",
      "Message-ID: <1@example.com>",
      "Date: Sun, 22 Nov 2026 08:05:09 +0000",
      "Auto-Submitted: auto-generated",
      "X-Auto-Response-Suppress: All",
      `List-Unsubscribe: ${leave}`,
      "MIME-Version: 1.0",
      'Content-Type: multipart/alternative; boundary="=_limelight"',
    ].join("\r\n"),
  );
});

test("nothing that was typed begins another header, another recipient or another part", async () => {
  const mean = "a\r\nBcc: all@example.com\r\n\r\n--=_limelight\r\nwords";
  const email = await read(
    { subject: mean, text: mean, to: "ann@example.com>,<b@example.com\r\nBcc: c@example.com" },
    mean,
  );
  expect(email.headers.map(({ key }) => key)).not.toContain("bcc");
  expect(email.to!.length).toBe(1);
  expect(email.bcc).toBeUndefined();
  expect(body(email.text)).toBe(asRead(mean));
  expect(body(email.html)).toBe("<p>Words</p>");
});

/** The reader ends the last line, and leaves breaks in base64 as they come. */
const body = (read: string | undefined) => read?.replaceAll("\r\n", "\n").replace(/\n$/, "");
/** Line breaks are those of a message, and of halves of a letter nobody can tell which. */
const asRead = (text: string) => text.replaceAll(/\r\n|\r|\n/g, "\n").toWellFormed();
