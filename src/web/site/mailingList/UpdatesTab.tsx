/** The vertical UPDATES button at the right edge of the home page (specification, section 2.3). */
import { useWords } from "../../words/siteWords.ts";

/** Shown once the page is scrolled far enough (inline/scrolling.ts); inline/mailingList.ts opens the dialog. */
export function UpdatesTab() {
  const { words, lang } = useWords();
  return (
    <button
      type="button"
      className="updates-tab"
      data-updates=""
      lang={lang}
      aria-haspopup="dialog"
    >
      {words.mailingList.tab}
    </button>
  );
}
