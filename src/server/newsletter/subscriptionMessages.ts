/** Messages to people who join or leave the mailing list. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import type { Frame, MessageBranding } from "../shared/message.ts";
import { unsubscribeHeaders } from "./links.ts";

/** A message without its recipient. */
export interface ListMessage {
  readonly subject: string;
  readonly frame: Frame;
  readonly headers: Readonly<Record<string, string>>;
}

/** The site's words in its language; `named` fills the site's name into one of them. */
function translatedMessages(site: MessageBranding) {
  const { words, lang } = wordsFor(site.language);
  return {
    ...words,
    language: lang ?? site.language,
    named: (sentence: string) => fill(sentence, { name: site.siteName }),
  };
}

/** Links are absolute. Contains no name: it may have been typed by someone else. */
export function confirmMessage(site: MessageBranding, confirm: string): ListMessage {
  const { mail, listPages, named, language } = translatedMessages(site);
  return {
    headers: {},
    subject: named(mail.confirmSubject),
    frame: {
      ...site,
      language,
      title: listPages.confirmTitle,
      blocks: [
        { kind: "text", text: named(mail.confirmText) },
        { kind: "button", label: listPages.confirm, url: confirm },
        { kind: "small", text: mail.confirmNotYou },
      ],
      foot: named(mail.confirmFoot),
    },
  };
}

/** `text` is the owner's; without it, the message explains what to expect. */
export function welcomeMessage(site: MessageBranding, text: string, leave: string): ListMessage {
  const { mail, mailingList, letters, named, language } = translatedMessages(site);
  return {
    headers: unsubscribeHeaders(leave, domainOf(site)),
    subject: named(mail.welcomeSubject),
    frame: {
      ...site,
      ...(text === "" && { language }),
      title: mail.welcomeTitle,
      blocks: [{ kind: "text", text: text || named(mail.welcomeText) }],
      foot: named(letters.foot),
      links: [{ label: mailingList.unsubscribe, url: leave }],
    },
  };
}

export function unsubscribeMessage(site: MessageBranding, leave: string): ListMessage {
  const { mail, mailingList, named, language } = translatedMessages(site);
  return {
    headers: {},
    subject: named(mail.leaveSubject),
    frame: {
      ...site,
      language,
      title: mailingList.leaveTitle,
      blocks: [
        { kind: "text", text: mail.leaveText },
        { kind: "button", label: mailingList.unsubscribe, url: leave },
        { kind: "small", text: mail.leaveNotYou },
      ],
      foot: named(mail.leaveFoot),
    },
  };
}

/** The host of the site's address, for messages to the list. */
export const domainOf = ({ siteUrl }: MessageBranding) =>
  new URL(assertDefined(siteUrl, "address of the site")).hostname;
