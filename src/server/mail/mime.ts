/**
 * A message as the bytes a mail server takes (RFC 5322, 2045 to 2047): a plain and a rich body, in lines of ASCII.
 *
 * The library for SMTP writes any message there is; for the one form that ours have it took a third of what a
 * message costs (decision 1002).
 */
import type { Sender } from "../shared/mailUrl.ts";
import type { OutgoingMessage } from "../shared/message.ts";
import { oneLine } from "./headers.ts";

/** The message and its headers, without the dots that SMTP doubles. */
export function mimeOf(message: OutgoingMessage, from: Sender, date: Date): string {
  const { to, replyTo, subject, messageId, headers, text, html } = message;
  const lines = [
    header("From", `${phrase(oneLine(from.name))} ${address(from.address)}`.trim()),
    header("To", address(to)),
    ...(replyTo ? [header("Reply-To", address(replyTo))] : []),
    header("Subject", words(oneLine(subject))),
    header("Message-ID", oneLine(messageId)),
    header("Date", date.toUTCString().replace("GMT", "+0000")),
    ...Object.entries(headers).map(([name, value]) => header(name, oneLine(value))),
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    "",
    ...part("text/plain", text),
    ...part("text/html", html),
    `--${BOUNDARY}--`,
    "",
  ];
  return lines.join(CRLF);
}

const CRLF = "\r\n";

/** No body has "=_": quoted-printable writes an = with two digits behind it, base64 has no _ (RFC 2045, 6.7). */
const BOUNDARY = "=_limelight";

/** In brackets, and without any of its own, so that it is read as one. */
const address = (of: string) => `<${oneLine(of).replaceAll(/[<>\s]/g, "")}>`;

/** A name before an address (RFC 5322, 3.2.5). */
function phrase(name: string): string {
  if (/^[\w ]*$/.test(name) || !isPlain(name)) return words(name);
  return `"${name.replaceAll(/["\\]/g, "\\$&")}"`;
}

const words = (line: string) => (isPlain(line) ? line : encodedWords(line));

/** Whether it is read as it is written, and can be folded without a change. */
const isPlain = (line: string) => isAscii(line) && !/=\?| {2}|\S{900}/.test(line);
const isAscii = (line: string) => !/[^\t\x20-\x7e]/.test(line);

/** A word has at most 75 characters, twelve of them around what it says, and ends between two letters. */
const WORD_BYTES = 45;

/** RFC 2047, in base64, which needs no care about the letters it stands beside. */
function encodedWords(line: string): string {
  const found = [""];
  for (const letter of line) {
    const longer = found.at(-1)! + letter;
    if (Buffer.byteLength(longer) > WORD_BYTES) found.push(letter);
    else found[found.length - 1] = longer;
  }
  return found.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}

const LINE = 76;

/** Folded at spaces: a line that begins with one goes on with the header before it (RFC 5322, 2.2.3). */
function header(name: string, value: string): string {
  const lines = [`${name}:`];
  for (const word of value.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    // The first word stays beside the name, which nothing but a space follows otherwise.
    if (longer.length > LINE && lines.at(-1) !== `${name}:`) lines.push(` ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join(CRLF);
}

function part(type: string, content: string): string[] {
  const lines = content.split(/\r\n|\r|\n/);
  const bytes = Buffer.from(lines.join(CRLF));
  const isShorterInBase64 = bytes.length > content.length * MOSTLY_FOREIGN;
  return [
    `--${BOUNDARY}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Transfer-Encoding: ${isShorterInBase64 ? "base64" : "quoted-printable"}`,
    "",
    isShorterInBase64 ? base64(bytes) : lines.map(quotedLine).join(CRLF),
  ];
}

/** Bytes for a letter: a sixth of the letters then has two, each of which takes three characters when quoted. */
const MOSTLY_FOREIGN = 1.17;

const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll(/.{76}(?!$)/g, `$&${CRLF}`);

/** RFC 2045, 6.7. */
function quotedLine(line: string): string {
  const bytes = isAscii(line) ? line : Buffer.from(line).toString("latin1");
  const quoted = bytes
    .replaceAll(/[^\t\x20-\x3c\x3e-\x7e]/g, quotedByte)
    // A space at the end of a line may be lost on the way.
    .replace(/[\t ]$/, quotedByte);
  const lines: string[] = [];
  let from = 0;
  while (quoted.length - from > LINE) {
    let to = from + LINE - 1;
    // Not in the middle of a quoted byte.
    const begun = quoted.lastIndexOf("=", to - 1);
    if (to - begun < 3) to = begun;
    lines.push(`${quoted.slice(from, to)}=`);
    from = to;
  }
  return [...lines, quoted.slice(from)].join(CRLF);
}

const quotedByte = (byte: string) =>
  `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
