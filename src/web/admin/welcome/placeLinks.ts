/** Links to a performer: the text typed or pasted, and the URL made from it. */
import * as v from "valibot";
import { emailSchema } from "../../../schema/core/email.ts";
import { removeInvisible } from "../../../schema/core/invisibleCharacters.ts";
import { mailto } from "../../../schema/core/mailto.ts";
import { numberToDial } from "../../../schema/core/phone.ts";
import {
  EXAMPLE_QUESTION,
  isExample,
  platformOf,
  profileBase,
  profileUrl,
} from "../../../schema/sections/platforms.ts";
import { fullUrl, safeUrl } from "../../../schema/core/safeUrl.ts";

/** One field of the welcome; `key` is a platform of connect links, or another storage key. */
export interface Channel {
  readonly key: string;
  readonly label: string;
  readonly placeholder: string;
  readonly kind: "name" | "link" | "phone" | "email";
  /** The URL before a name; a pasted link must have its host, or one of `hosts`. */
  readonly base?: string;
  /** The hosts of links that apps share. */
  readonly hosts?: readonly string[];
}

export const CHANNELS: readonly Channel[] = [
  named("instagram", ["instagr.am"]),
  named("youtube", ["youtu.be"]),
  named("tiktok"),
  {
    key: "spotify",
    label: "Spotify",
    placeholder: "Spotify link",
    kind: "link",
    base: "https://open.spotify.com/",
    hosts: ["spotify.link", "spotify.app.link"],
  },
  {
    key: "whatsapp",
    label: platformOf("whatsapp").label,
    placeholder: "WhatsApp number",
    kind: "phone",
    hosts: ["wa.me", "whatsapp.com"],
  },
  { key: "email", label: "Email", placeholder: "Contact email for visitors", kind: "email" },
];

/** Offered by "Add another link". */
export const WEBSITE: Channel = {
  key: "website",
  label: "Website",
  placeholder: "Another website",
  kind: "link",
};

function named(key: string, hosts: readonly string[] = []): Channel {
  const { label } = platformOf(key);
  const base = profileBase(key);
  return {
    key,
    label,
    placeholder: `${label} username or link`,
    kind: "name",
    hosts,
    ...(base && { base }),
  };
}

/** A field's result: a URL and its name, or an error. */
export type MadeLink =
  | {
      readonly ok: true;
      readonly url: string;
      readonly displayText: string;
      /** A question about a link that may be a slip. */
      readonly doubt?: string;
    }
  | { readonly ok: false; readonly message: string };

/** `typed` is not empty. */
export function linkOf(channel: Channel, typed: string): MadeLink {
  const made = MAKERS[channel.kind](channel, removeInvisible(typed).trim());
  return made.ok && isExample(made.url) ? { ...made, doubt: EXAMPLE_QUESTION } : made;
}

const MAKERS: Readonly<Record<Channel["kind"], (channel: Channel, text: string) => MadeLink>> = {
  name: fromName,
  link: fromLink,
  phone: fromNumber,
  email: fromEmail,
};

const wrong = (message: string): MadeLink => ({ ok: false, message });

function fromName(channel: Channel, text: string): MadeLink {
  if (/[/:]/.test(text)) return fromLink(channel, text);
  const url = profileUrl(channel.key, text);
  if (url === text)
    return wrong("Enter your username without spaces, or paste the link to your profile.");
  return { ok: true, url, displayText: `@${text.replace(/^@/, "")}` };
}

function fromLink({ label, base, hosts = [] }: Channel, text: string): MadeLink {
  const address = fullUrl(text);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.hostname.includes(".") || !safeUrl(url.href))
    return wrong("That isn't a complete link. Paste the full link.");
  const host = url.hostname.replace(/^www\.|^m\./, "");
  if (base === undefined) return { ok: true, url: url.href, displayText: host };
  const expectedHost = new URL(base).hostname;
  if (!expectedHost.endsWith(`.${host}`) && !isOneOf([expectedHost, ...hosts], host))
    return wrong(`That link doesn't lead to ${label}.`);
  const [name, ...rest] = decodePath(url.pathname)
    .split("/")
    .filter((part) => part !== "");
  // A path such as /reel/abc has no name.
  if (rest.length > 0 || hosts.includes(host))
    return { ok: true, url: url.href, displayText: label };
  const isName = base.endsWith("@") ? name?.startsWith("@") : expectedHost !== "open.spotify.com";
  const shown = name !== undefined && isName ? `@${name.replace(/^@/, "")}` : label;
  return { ok: true, url: url.href, displayText: shown };
}

const isOneOf = (hosts: readonly string[], host: string) =>
  hosts.some((each) => host === each || host.endsWith(`.${each}`));

/** A path with a lone % is returned unchanged. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fromNumber({ label, hosts = [] }: Channel, text: string): MadeLink {
  const url = URL.parse(fullUrl(text));
  const isShared = url !== null && isOneOf(hosts, url.hostname);
  const linked = isShared ? (url.searchParams.get("phone") ?? url.pathname.slice(1)) : undefined;
  // Of a group, a business or a QR code.
  if (isShared && linked && !/^[\d+ ]+$/.test(linked))
    return { ok: true, url: url.href, displayText: label };
  const { number } = numberToDial(linked?.replace(/^[+ ]*/, "+") ?? text);
  if (!/^\+\d{7,15}$/.test(number))
    return wrong("Start with + and your country code, such as +44.");
  return { ok: true, url: `https://wa.me/${number.slice(1)}`, displayText: label };
}

function fromEmail(_: Channel, text: string): MadeLink {
  const { success, output } = v.safeParse(emailSchema, text);
  if (!success) return wrong("Enter an email address such as name@example.com.");
  return { ok: true, url: mailto(output), displayText: output };
}
