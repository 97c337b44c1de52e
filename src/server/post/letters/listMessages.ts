/** The words of the messages to somebody who joins or leaves the mailing list. */
import type { Frame, Stationery } from "../../shared/message.ts";
import { listHeaders } from "./links.ts";

/** A message without whom it is for, and its subject. */
export interface ListMessage {
  readonly subject: string;
  readonly frame: Frame;
  readonly headers: Readonly<Record<string, string>>;
}

/** Links are whole. No name that somebody typed is in it: it may have been typed for somebody else. */
export function confirmMessage(site: Stationery, confirm: string): ListMessage {
  return {
    headers: {},
    subject: `Confirm your subscription · ${site.siteName}`,
    frame: {
      ...site,
      title: "One more step",
      blocks: [
        {
          kind: "text",
          text: `Press the button if you want to hear from ${site.siteName} by email. The link works for 7 days.`,
        },
        { kind: "button", label: "Confirm", url: confirm },
        {
          kind: "small",
          text: "Somebody entered this address on the site. If it wasn't you, do nothing: you get no letters.",
        },
      ],
      foot: `Sent once, to confirm an address for the mailing list of ${site.siteName}.`,
    },
  };
}

/** `words` are the owner's; without them it says what to expect. */
export function welcomeMessage(site: Stationery, words: string, leave: string): ListMessage {
  return {
    headers: listHeaders(leave, domainOf(site)),
    subject: `Welcome · ${site.siteName}`,
    frame: {
      ...site,
      title: "You're on the list",
      blocks: [
        {
          kind: "text",
          text: words || `You'll hear from ${site.siteName} by email when there is news.`,
        },
      ],
      foot: `You get this because you joined the mailing list of ${site.siteName}.`,
      links: [{ label: "Unsubscribe", url: leave }],
    },
  };
}

export function leaveMessage(site: Stationery, leave: string): ListMessage {
  return {
    headers: {},
    subject: `Leave the mailing list · ${site.siteName}`,
    frame: {
      ...site,
      title: "Leave the mailing list",
      blocks: [
        {
          kind: "text",
          text: "Press the button and the unsubscribe page opens. One more press there, and you get no more letters.",
        },
        { kind: "button", label: "Unsubscribe", url: leave },
        {
          kind: "small",
          text: "Somebody entered this address on the site. If it wasn't you, do nothing: you stay on the list.",
        },
      ],
      foot: `Sent because somebody asked to take this address off the mailing list of ${site.siteName}.`,
    },
  };
}

/** Of the site's address, which every message to the list has. */
export const domainOf = ({ siteUrl }: Stationery) => new URL(siteUrl!).hostname;
