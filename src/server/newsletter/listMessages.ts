/** Messages to people who join or leave the mailing list. */
import { present } from "../../schema/core/present.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import type { Frame, Stationery } from "../shared/message.ts";
import { listHeaders } from "./links.ts";

/** A message without its recipient. */
export interface ListMessage {
  readonly subject: string;
  readonly frame: Frame;
  readonly headers: Readonly<Record<string, string>>;
}

/** The site's words in its language; `named` fills the site's name into one of them. */
function saidBy(site: Stationery) {
  const { words, lang } = wordsFor(site.language);
  return {
    ...words,
    language: lang ?? site.language,
    named: (sentence: string) => fill(sentence, { name: site.siteName }),
  };
}

/** Links are absolute. Contains no name: it may have been typed by someone else. */
export function confirmMessage(site: Stationery, confirm: string): ListMessage {
  const { mail, listPages, named, language } = saidBy(site);
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

/** `text` is the owner's; without it, the message says what to expect. */
export function welcomeMessage(site: Stationery, text: string, leave: string): ListMessage {
  const { mail, mailingList, letters, named, language } = saidBy(site);
  return {
    headers: listHeaders(leave, domainOf(site)),
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

export function leaveMessage(site: Stationery, leave: string): ListMessage {
  const { mail, mailingList, named, language } = saidBy(site);
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
export const domainOf = ({ siteUrl }: Stationery) =>
  new URL(present(siteUrl, "address of the site")).hostname;
