/** The transport of mail: read from MAIL_URL and MAIL_FROM, or set up by the owner. */
import type { MailAccount } from "../../schema/people/mail.ts";

/** An account with its password or key. */
export interface FullAccount {
  readonly account: MailAccount;
  /** Empty for a server without a login. */
  readonly secret: string;
}

/** `Name <address>`, parsed. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const SHAPES =
  "must be smtps://user:password@host:465, smtp+starttls://user:password@host:587, smtp://127.0.0.1:25, " +
  "resend://key, postmark://token, mailgun://key@domain or ses://smtp-user:password@region";

const PERCENT = "contains a literal %. Write it as %25";

/** These end an address's login, so what follows would be read as a path. */
export const SEPARATORS =
  "has a #, / or ? in its user, password or key. Write %23, %2F or %3F in its place";

/** One of them before the @ of the login, or in a key that has no @. */
const MISREAD = /^(?:[^:]{1,20}:\/\/[^#/?]*[#/?].*@|(?:resend|postmark):\/\/[^#/?]*[#/?].)/s;

/** Throws an Error whose message continues "MAIL_URL ". */
export function parseMailUrl(text: string): FullAccount {
  if (MISREAD.test(text)) throw new Error(SEPARATORS);
  if (!URL.canParse(text)) throw new Error(SHAPES);
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  const read = READERS[scheme];
  if (!read) throw new Error(SHAPES);
  return read(url);
}

const READERS: Readonly<Record<string, (url: URL) => FullAccount>> = {
  smtps: (url) => smtp(url, "tls", 465),
  "smtp+starttls": (url) => smtp(url, "starttls", 587),
  smtp: (url) => {
    if (!isThisMachine(plainHost(url)))
      throw new Error(
        "may be unencrypted only on this machine (127.0.0.1). Use smtps:// or smtp+starttls://",
      );
    return smtp(url, "none", 25);
  },
  resend: (url) => ({ account: { kind: "resend" }, secret: required(keyOf(url)) }),
  postmark: (url) => ({ account: { kind: "postmark" }, secret: required(keyOf(url)) }),
  mailgun: (url) => ({
    account: {
      kind: "mailgun",
      domain: required(plainHost(url)),
      eu: url.searchParams.get("region") === "eu",
    },
    secret: required(part(url.username)),
  }),
  ses: (url) => ({
    account: { kind: "ses", region: required(plainHost(url)), keyId: required(part(url.username)) },
    secret: required(part(url.password)),
  }),
};

function smtp(url: URL, security: "tls" | "starttls" | "none", port: number): FullAccount {
  const account = {
    kind: "smtp",
    host: required(plainHost(url)),
    port: url.port === "" ? port : Number(url.port),
    security,
    username: part(url.username),
  } as const;
  return { account, secret: part(url.password) };
}

/** URL doesn't decode the host of an unknown scheme. */
const plainHost = ({ hostname }: URL) => part(hostname).replace(/^\[|\]$/g, "");

/** The key of `resend://key` is where the host would be, which URL may lowercase: taken from the original text. */
const keyOf = ({ href }: URL) => part(/^[\w+]+:\/\/([^/?#]*)/.exec(href)?.[1] ?? "");

function part(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(PERCENT);
  }
}

function required(text: string): string {
  if (text === "") throw new Error(SHAPES);
  return text;
}

/** Mail that never leaves this machine may be sent unencrypted. */
export function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const NAME = /^(?:"(?<quoted>[^"<>\r\n]*)"|(?<plain>[^"<>\r\n]*))$/;
const ADDRESS = /^[^<>\s@]+@[^<>\s@]+$/;

/** Throws an Error whose message continues "MAIL_FROM ". */
export function parseSender(text: string): Sender {
  const typed = text.trim();
  const at = typed.endsWith(">") ? typed.lastIndexOf("<") : -1;
  const address = at === -1 ? typed : typed.slice(at + 1, -1);
  const name = NAME.exec(typed.slice(0, Math.max(at, 0)).trim())?.groups;
  if (!name || !ADDRESS.test(address)) throw new Error("must be Name <address@example.com>");
  return { name: name["quoted"] ?? name["plain"] ?? "", address };
}
