/** The words for the scripts of public pages. A page contains only the groups that its scripts use. */
import type { Words } from "./en.ts";
import { fillPlaceholders } from "./placeholders.ts";
import type { SiteWords } from "./siteWords.ts";

/** The words by group, as in WORDS, which the server declares before a page's scripts. */
const WORD_GROUPS = {
  dialog: ({ dialog }: Words) => dialog,
  toasts: ({ toasts }: Words) => toasts,
  failed: ({ failed: { pageTitle, text, retry } }: Words) => ({ page: pageTitle, text, retry }),
  unsent: ({ failed }: Words) => failed.formTitle,
  gallery: ({ gallery: { previous, next, position } }: Words) => ({
    previous,
    next,
    position,
  }),
  list: ({ mailingList, failed }: Words, name: string) => ({
    ...createMailingListWords(mailingList, name),
    // The enquiry form's text for this says that answers are saved, but this dialog saves none.
    offline: failed.text,
  }),
};

/** `subscribe` and `unsubscribe` have the same keys. */
function createMailingListWords(words: Words["mailingList"], siteName: string) {
  const { email, name, later, failed } = words;
  const fillName = (sentence: string) => fillPlaceholders(sentence, { name: siteName });
  return {
    subscribe: {
      title: words.title,
      lead: fillName(words.lead),
      submit: words.subscribe,
      submitting: words.subscribing,
      switchMode: words.leave,
      successTitle: words.subscribed,
      successText: fillName(words.subscribedText),
      failed: words.subscribeFailed,
    },
    unsubscribe: {
      title: words.unsubscribeTitle,
      lead: words.unsubscribeLead,
      submit: words.unsubscribe,
      submitting: words.unsubscribing,
      switchMode: words.backToSubscribe,
      successTitle: words.unsubscribed,
      successText: words.unsubscribedText,
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

/** The groups, and the `lang` attribute of the site's own elements. */
type ScriptWords = Groups & { readonly langAttribute: { readonly lang?: string } };

declare global {
  /** Use this only in src/web/inline: the server declares it before a page's inline scripts. */
  const WORDS: ScriptWords;
}

/** Returns the words of these groups. `langAttribute` is empty if the words are in the site's language. */
export function createScriptWords(
  { words, lang }: SiteWords,
  groups: ReadonlySet<WordGroup>,
  siteName: string,
): Partial<ScriptWords> {
  const entries = [...groups].map((name) => [name, WORD_GROUPS[name](words, siteName)] as const);
  return { langAttribute: lang ? { lang } : {}, ...Object.fromEntries(entries) };
}
