/** The texts that a reply begins with, until the owner writes others. */
import type { ReplyTemplate } from "../../schema/people/mail.ts";
import { wordsFor } from "../../web/words/all.ts";
import type { Mail } from "./mail.ts";

/** The texts of replies in the site's language. */
export const replyTexts = (mail: Mail) => wordsFor(mail.stationery().language).words.reply;

/** The default ending of a reply, until the owner writes another. */
export const defaultSignature = (mail: Mail) =>
  `${replyTexts(mail).regards}\n${mail.stationery().siteName}`;

/** The default templates, until the owner writes others. */
export const usualTemplates = (mail: Mail): ReplyTemplate[] =>
  Object.values(replyTexts(mail).templates);
