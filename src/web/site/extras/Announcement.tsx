/** The owner's announcement: a line at the top of public pages. */
import { toSafeUrl } from "../../../schema/core/safeUrl.ts";
import type { PageContent } from "../../shared/content.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { useWords } from "../../words/siteWords.ts";
import { Arrow } from "../parts/CallToAction.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";

/** Place it first in a page's first screen or `main`. In the dashboard's preview, the text is in `content`. */
export function Announcement({ content }: { readonly content?: PageContent }) {
  const pageContext = usePageContext();
  const { words, lang, contentLang } = useWords();
  const { text, link } = content?.announcement ?? pageContext.announcement ?? {};
  if (!text) return null;
  const address = toSafeUrl(link);
  return (
    <>
      <ExtraStyles extra="announcement" />
      <aside className="announcement" aria-label={words.announcement} lang={lang}>
        <p dir="auto" lang={contentLang}>
          {address ? (
            <a href={address}>
              <TextLine text={text} />
            </a>
          ) : (
            <TextLine text={text} />
          )}
          {address && <Arrow />}
        </p>
      </aside>
    </>
  );
}
