/** Messages to people who join or leave the mailing list. */
import { getWords } from "../../web/words/all.ts";
import { fillPlaceholders } from "../../web/words/fill.ts";
import type { MessageFrame, MessageBranding } from "../shared/message.ts";
import { createUnsubscribeHeaders } from "./links.ts";

/** A message without its recipient. */
export interface ListMessage {
  readonly subject: string;
  readonly frame: MessageFrame;
  readonly headers: Readonly<Record<string, string>>;
}

/** The texts in the site's language. `named` fills the site's name into a text. */
function getListMessageTexts(site: MessageBranding) {
  const { words, lang } = getWords(site.language);
  return {
    ...words,
    language: lang ?? site.language,
    named: (sentence: string) => fillPlaceholders(sentence, { name: site.siteName }),
  };
}

/** The message to a new subscriber. If the owner's `text` is empty, a default text says what to expect. */
export function createWelcomeMessage(
  site: MessageBranding,
  text: string,
  unsubscribeUrl: string,
): ListMessage {
  const { mail, mailingList, letters, named, language } = getListMessageTexts(site);
  return {
    headers: createUnsubscribeHeaders(unsubscribeUrl),
    subject: named(mail.welcomeSubject),
    frame: {
      ...site,
      ...(text === "" && { language }),
      title: mail.welcomeTitle,
      blocks: [{ kind: "text", text: text || named(mail.welcomeText) }],
      foot: named(letters.foot),
      links: [{ label: mailingList.unsubscribe, url: unsubscribeUrl }],
    },
  };
}

/** The message with a link to confirm a subscription or to unsubscribe. `url` is absolute. */
export function createLinkMessage(
  site: MessageBranding,
  kind: "confirm" | "leave",
  url: string,
): ListMessage {
  const { mail, mailingList, listPages, named, language } = getListMessageTexts(site);
  const isConfirming = kind === "confirm";
  const label = isConfirming ? listPages.confirm : mailingList.unsubscribe;
  // Without the recipient's name, since somebody else may have typed it.
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
