/** Parses MAIL_URL and MAIL_FROM, which configure how the site sends mail. */
import { extractEmail } from "../../schema/core/emailAddress.ts";
import type { MailAccount } from "../../schema/people/mail.ts";

export interface AccountWithSecret {
  readonly account: MailAccount;
  /** The password or key; empty for a server without a login. */
  readonly secret: string;
}

/** The parts of `Name <address>`. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const MAIL_URL_RULE =
  "must be smtps://user:password@host:465, smtp+starttls://user:password@host:587, smtp://127.0.0.1:25, " +
  "resend://key, postmark://token, mailgun://key@domain or ses://smtp-user:password@region";

/** The message for a #, / or ? in the login, which would end the host part of the URL. */
export const UNESCAPED_SEPARATOR_MESSAGE =
  "has a #, / or ? in its user, password or key. Write %23, %2F or %3F in its place";

/** Matches an address with an unescaped separator in its user or password (before the @), or in its API key. */
const MISPLACED_SEPARATOR_PATTERN =
  /^(?:[^:]{1,20}:\/\/[^#/?]*[#/?].*@|(?:resend|postmark):\/\/[^#/?]*[#/?].)/s;

/** Parses MAIL_URL. Throws an Error whose message follows the setting's name. */
export function parseMailUrl(text: string): AccountWithSecret {
  if (MISPLACED_SEPARATOR_PATTERN.test(text)) throw new Error(UNESCAPED_SEPARATOR_MESSAGE);
  if (!URL.canParse(text)) throw new Error(MAIL_URL_RULE);
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  const parse = Object.hasOwn(MAIL_URL_PARSERS, scheme) ? MAIL_URL_PARSERS[scheme] : undefined;
  if (!parse) throw new Error(MAIL_URL_RULE);
  return parse(url);
}

const MAIL_URL_PARSERS: Readonly<Record<string, (url: URL) => AccountWithSecret>> = {
  smtps: (url) => parseSmtpUrl(url, "tls", 465),
  "smtp+starttls": (url) => parseSmtpUrl(url, "starttls", 587),
  smtp: (url) => {
    if (!isLocalHost(decodeHost(url)))
      throw new Error(
        "may be unencrypted only on this machine (127.0.0.1). Use smtps:// or smtp+starttls://",
      );
    return parseSmtpUrl(url, "none", 25);
  },
  resend: (url) => ({ account: { kind: "resend" }, secret: requireText(parseKey(url)) }),
  postmark: (url) => ({ account: { kind: "postmark" }, secret: requireText(parseKey(url)) }),
  mailgun: (url) => ({
    account: {
      kind: "mailgun",
      domain: requireText(decodeHost(url)),
      eu: url.searchParams.get("region")?.toLowerCase() === "eu",
    },
    secret: requireText(decodePart(url.username)),
  }),
  ses: (url) => ({
    account: {
      kind: "ses",
      region: requireText(decodeHost(url)),
      keyId: requireText(decodePart(url.username)),
    },
    secret: requireText(decodePart(url.password)),
  }),
};

function parseSmtpUrl(
  url: URL,
  security: "tls" | "starttls" | "none",
  port: number,
): AccountWithSecret {
  const account = {
    kind: "smtp",
    host: requireText(decodeHost(url)),
    port: url.port === "" ? port : Number(url.port),
    security,
    username: decodePart(url.username),
  } as const;
  return { account, secret: decodePart(url.password) };
}

/** Decodes the host, because `URL` doesn't decode it for unknown schemes such as smtps. */
const decodeHost = ({ hostname }: URL) => decodePart(hostname).replace(/^\[|\]$/g, "");

/** Reads the key of `resend://key` from the text. `URL` would treat the key as a host, and may change its case. */
const parseKey = ({ href }: URL) => decodePart(/^[\w+]+:\/\/([^/?#]*)/.exec(href)?.[1] ?? "");

/** Decodes percent-encoding in a part of an address. Throws an Error whose message follows the setting's name. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("contains a literal %. Write it as %25");
  }
}

function requireText(text: string): string {
  if (text === "") throw new Error(MAIL_URL_RULE);
  return text;
}

/** Whether a host is this machine. Connections to this machine needn't be encrypted. */
export function isLocalHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const SENDER_NAME_PATTERN = /^(?:"(?<quoted>[^"<>\r\n]*)"|(?<plain>[^"<>\r\n]*))$/;
const ADDRESS_PATTERN = /^[^<>\s@]+@[^<>\s@]+$/;

/** Parses MAIL_FROM. Throws an Error whose message follows the setting's name. */
export function parseSender(text: string): Sender {
  const trimmed = text.trim();
  const bracketIndex = trimmed.endsWith(">") ? trimmed.lastIndexOf("<") : -1;
  const address = extractEmail(bracketIndex === -1 ? trimmed : trimmed.slice(bracketIndex + 1, -1));
  const nameGroups = SENDER_NAME_PATTERN.exec(
    trimmed.slice(0, Math.max(bracketIndex, 0)).trim(),
  )?.groups;
  if (!nameGroups || !ADDRESS_PATTERN.test(address))
    throw new Error("must be Name <address@example.com>");
  return { name: nameGroups["quoted"] ?? nameGroups["plain"] ?? "", address };
}
