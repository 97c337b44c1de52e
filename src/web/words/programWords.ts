/** The words of a public page's scripts, in the site's language: a page carries those of its own parts. */
import type { Words } from "./en.ts";
import { fillPlaceholders } from "./fill.ts";
import type { SiteWords } from "./siteWords.ts";

/** Every group by its name in WORDS, which precedes the parts. */
const WORD_GROUPS = {
  dialog: ({ dialog }: Words) => dialog,
  toasts: ({ toasts }: Words) => toasts,
  failed: ({ failed: { pageTitle, text, retry } }: Words) => ({ page: pageTitle, text, retry }),
  unsent: ({ failed }: Words) => failed.formTitle,
  gallery: ({ gallery: { previous, next, position } }: Words) => ({
    previous,
    next,
    place: position,
  }),
  list: ({ mailingList, form }: Words, name: string) => ({
    ...createMailingListWords(mailingList, name),
    offline: form.offline,
  }),
};

/** By purpose of the dialog: both have the same shape. */
function createMailingListWords(words: Words["mailingList"], siteName: string) {
  const { email, name, later, failed } = words;
  const named = (sentence: string) => fillPlaceholders(sentence, { name: siteName });
  return {
    subscribe: {
      title: words.title,
      lead: named(words.lead),
      send: words.subscribe,
      sending: words.subscribing,
      other: words.leave,
      done: words.subscribed,
      since: named(words.subscribedText),
      failed: words.subscribeFailed,
    },
    unsubscribe: {
      title: words.leaveTitle,
      lead: words.leaveLead,
      send: words.unsubscribe,
      sending: words.unsubscribing,
      other: words.backToSubscribe,
      done: words.unsubscribed,
      since: words.unsubscribedText,
      failed: words.unsubscribeFailed,
    },
    pending: { title: words.pending, text: words.confirmText },
    email,
    name,
    later,
    failed,
  };
}

type Groups = { readonly [Name in WordGroup]: ReturnType<(typeof WORD_GROUPS)[Name]> };

export type WordGroup = keyof typeof WORD_GROUPS;

/** WORDS as a script reads it: its part's groups, and the attributes of our elements. */
export type ProgramWords = Groups & { readonly mark: { readonly lang?: string } };

/** These groups; `mark` is assigned to our elements (`Object.assign`), and empty in the site's own language. */
export function createProgramWords(
  { words, lang }: SiteWords,
  groups: ReadonlySet<WordGroup>,
  siteName: string,
): Partial<ProgramWords> {
  const entries = [...groups].map((name) => [name, WORD_GROUPS[name](words, siteName)] as const);
  return { mark: lang ? { lang } : {}, ...Object.fromEntries(entries) };
}
