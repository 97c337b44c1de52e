/** Creates links to a performer's profiles. The owner types a username or pastes a link. */
import * as v from "valibot";
import { decodeUri } from "../../../schema/core/boundedUnicode.ts";
import { emailSchema } from "../../../schema/core/email.ts";
import { removeInvisible } from "../../../schema/core/invisibleCharacters.ts";
import { createMailtoUrl } from "../../../schema/core/mailto.ts";
import { parseDialableNumber } from "../../../schema/core/phone.ts";
import {
  SAVE_EXAMPLE_QUESTION,
  isExampleUrl,
  getPlatform,
  getProfileUrlBase,
  completeProfileUrl,
} from "../../../schema/sections/platforms.ts";
import { completeUrl, toSafeUrl } from "../../../schema/core/safeUrl.ts";

/** `key` is a platform of the Connect section, or "email". */
export interface Channel {
  readonly key: string;
  readonly label: string;
  readonly placeholder: string;
  readonly kind: "name" | "link" | "phone" | "email";
  /** The part of the URL before a username. A pasted link must have the same host, or one of `hosts`. */
  readonly urlBase?: string;
  /** Other hosts of the platform, for example of links that its app shares. */
  readonly hosts?: readonly string[];
}

export const LINK_CHANNELS: readonly Channel[] = [
  createUsernameChannel("instagram", ["instagr.am"]),
  createUsernameChannel("youtube", ["youtu.be"]),
  createUsernameChannel("tiktok"),
  {
    key: "spotify",
    label: "Spotify",
    placeholder: "Spotify link",
    kind: "link",
    urlBase: "https://open.spotify.com/",
    hosts: ["spotify.link", "spotify.app.link"],
  },
  {
    key: "whatsapp",
    label: getPlatform("whatsapp").label,
    placeholder: "WhatsApp number",
    kind: "phone",
    hosts: ["wa.me", "whatsapp.com"],
  },
  { key: "email", label: "Email", placeholder: "Contact email for visitors", kind: "email" },
];

export const WEBSITE_CHANNEL: Channel = {
  key: "website",
  label: "Website",
  placeholder: "Another website",
  kind: "link",
};

function createUsernameChannel(key: string, hosts: readonly string[] = []): Channel {
  const { label } = getPlatform(key);
  const urlBase = getProfileUrlBase(key);
  return {
    key,
    label,
    placeholder: `${label} username or link`,
    kind: "name",
    hosts,
    ...(urlBase && { urlBase }),
  };
}

export type LinkResult =
  | {
      readonly ok: true;
      readonly url: string;
      readonly displayText: string;
      /** A question about a link that may be a mistake. */
      readonly warning?: string;
    }
  | { readonly ok: false; readonly message: string };

/** Creates a link from a text, which must not be empty. */
export function createLink(channel: Channel, text: string): LinkResult {
  const result = LINK_PARSERS[channel.kind](channel, removeInvisible(text).trim());
  return result.ok && isExampleUrl(result.url)
    ? { ...result, warning: SAVE_EXAMPLE_QUESTION }
    : result;
}

const LINK_PARSERS: Readonly<
  Record<Channel["kind"], (channel: Channel, text: string) => LinkResult>
> = {
  name: parseUsername,
  link: parseLink,
  phone: parsePhone,
  email: parseEmail,
};

const createLinkError = (message: string): LinkResult => ({ ok: false, message });

function parseUsername(channel: Channel, text: string): LinkResult {
  if (/[/:]/.test(text)) return parseLink(channel, text);
  const url = completeProfileUrl(channel.key, text);
  if (url === text)
    return createLinkError(
      "Enter your username without spaces, or paste the link to your profile.",
    );
  return { ok: true, url, displayText: `@${text.replace(/^[@＠]/, "")}` };
}

function parseLink({ label, urlBase, hosts = [] }: Channel, text: string): LinkResult {
  const completedUrl = completeUrl(text);
  const url = URL.canParse(completedUrl) ? new URL(completedUrl) : undefined;
  if (!url?.hostname.includes(".") || !toSafeUrl(url.href))
    return createLinkError("That isn't a complete link. Paste the full link.");
  const host = url.hostname.replace(/^www\.|^m\./, "");
  if (urlBase === undefined) return { ok: true, url: url.href, displayText: host };
  const expectedHost = new URL(urlBase).hostname;
  if (!expectedHost.endsWith(`.${host}`) && !matchesHost([expectedHost, ...hosts], host))
    return createLinkError(`That link doesn't lead to ${label}.`);
  const [name, ...subpaths] = decodeUri(url.pathname)
    .split("/")
    .filter((part) => part !== "");
  // A path such as /reel/abc contains no username, so the platform's name is displayed.
  if (subpaths.length > 0 || hosts.includes(host))
    return { ok: true, url: url.href, displayText: label };
  const hasUsername = urlBase.endsWith("@")
    ? name?.startsWith("@")
    : expectedHost !== "open.spotify.com";
  const displayText = name !== undefined && hasUsername ? `@${name.replace(/^@/, "")}` : label;
  return { ok: true, url: url.href, displayText };
}

const matchesHost = (hosts: readonly string[], host: string) =>
  hosts.some((each) => host === each || host.endsWith(`.${each}`));

function parsePhone({ label, hosts = [] }: Channel, text: string): LinkResult {
  const url = URL.parse(completeUrl(text));
  const isChannelLink = url !== null && matchesHost(hosts, url.hostname);
  const linkedNumber = isChannelLink
    ? (url.searchParams.get("phone") ?? url.pathname.slice(1))
    : undefined;
  // A WhatsApp link without a number may lead to a group, a business or a QR code, so it is stored unchanged.
  if (isChannelLink && linkedNumber && !/^[\d+ ]+$/.test(linkedNumber))
    return { ok: true, url: url.href, displayText: label };
  const { number } = parseDialableNumber(linkedNumber?.replace(/^[+ ]*/, "+") ?? text);
  if (!/^\+\d{7,15}$/.test(number))
    return createLinkError(
      "Enter the full number, starting with + and the country code, such as +44.",
    );
  return { ok: true, url: `https://wa.me/${number.slice(1)}`, displayText: label };
}

function parseEmail(_: Channel, text: string): LinkResult {
  const { success, output } = v.safeParse(emailSchema, text);
  if (!success) return createLinkError("Enter an email address such as name@example.com.");
  return { ok: true, url: createMailtoUrl(output), displayText: output };
}
