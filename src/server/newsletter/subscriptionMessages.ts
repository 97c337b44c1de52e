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

/** The link to confirm or to leave, which is absolute. */
export function linkMessage(
  site: MessageBranding,
  kind: "confirm" | "leave",
  url: string,
): ListMessage {
  const { mail, mailingList, listPages, named, language } = translatedMessages(site);
  const isConfirming = kind === "confirm";
  const label = isConfirming ? listPages.confirm : mailingList.unsubscribe;
  // No name: it may have been typed by someone else.
  return {
    headers: {},
    subject: named(mail[`${kind}Subject`]),
    frame: {
      ...site,
      language,
      title: isConfirming ? listPages.confirmTitle : mailingList.leaveTitle,
      blocks: [
        { kind: "text", text: named(mail[`${kind}Text`]) },
        { kind: "button", label, url },
        { kind: "small", text: mail[`${kind}NotYou`] },
      ],
      foot: named(mail[`${kind}Foot`]),
    },
  };
}

/** The host of the site's address, for messages to the list. */
export const domainOf = ({ siteUrl }: MessageBranding) =>
  new URL(assertDefined(siteUrl, "address of the site")).hostname;
