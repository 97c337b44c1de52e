/** The words of a public page's scripts, in the site's language: a page carries those of its own parts. */
import type { Words } from "./en.ts";
import { fill } from "./fill.ts";
import type { SiteWords } from "./siteWords.ts";

/** Every group by its name in WORDS, which precedes the parts. */
const GROUPS = {
  dialog: ({ dialog }: Words) => dialog,
  toasts: ({ toasts }: Words) => toasts,
  failed: ({ failed: { page, text, retry } }: Words) => ({ page, text, retry }),
  unsent: ({ failed }: Words) => failed.form,
  gallery: ({ gallery: { previous, next, place } }: Words) => ({ previous, next, place }),
  list: ({ mailingList, form }: Words, name: string) => ({
    ...joining(mailingList, name),
    offline: form.offline,
  }),
};

/** By purpose of the dialog: both have the same shape. */
function joining(said: Words["mailingList"], siteName: string) {
  const { email, name, later, failed } = said;
  const named = (sentence: string) => fill(sentence, { name: siteName });
  return {
    subscribe: {
      title: said.title,
      lead: named(said.lead),
      send: said.subscribe,
      sending: said.subscribing,
      other: said.leave,
      done: said.subscribed,
      since: named(said.since),
      failed: said.subscribeFailed,
    },
    unsubscribe: {
      title: said.leaveTitle,
      lead: said.leaveLead,
      send: said.unsubscribe,
      sending: said.unsubscribing,
      other: said.back,
      done: said.unsubscribed,
      since: said.removed,
      failed: said.unsubscribeFailed,
    },
    pending: { title: said.pending, text: said.pendingText },
    email,
    name,
    later,
    failed,
  };
}

type Groups = { readonly [Name in WordGroup]: ReturnType<(typeof GROUPS)[Name]> };

export type WordGroup = keyof typeof GROUPS;

/** WORDS as a script reads it: its part's groups, and the attributes of our elements. */
export type ProgramWords = Groups & { readonly mark: { readonly lang?: string } };

/** These groups; `mark` is assigned to our elements (`Object.assign`), and empty in the site's own language. */
export function programWords(
  { words, lang }: SiteWords,
  groups: ReadonlySet<WordGroup>,
  siteName: string,
): Partial<ProgramWords> {
  const said = [...groups].map((name) => [name, GROUPS[name](words, siteName)] as const);
  return { mark: lang ? { lang } : {}, ...Object.fromEntries(said) };
}
