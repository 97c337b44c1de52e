/** The texts of a reply until the owner writes others. */
import type { ReplyTemplate } from "../../schema/people/mail.ts";
import { getWords } from "../../web/words/all.ts";
import type { Mail } from "./mail.ts";

/** The texts of replies in the site's language. */
export const getReplyTexts = (mail: Mail) => getWords(mail.stationery().language).words.reply;

export const defaultSignature = (mail: Mail) =>
  `${getReplyTexts(mail).closing}\n${mail.stationery().siteName}`;

export const defaultTemplates = (mail: Mail): ReplyTemplate[] =>
  Object.values(getReplyTexts(mail).templates);
