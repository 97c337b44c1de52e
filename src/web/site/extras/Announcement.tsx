/** A line at the top of every page. */
import { safeUrl } from "../../../schema/safeUrl.ts";
import type { Content } from "../../../schema/index.ts";
import { type LoadedPage, valueOf } from "../../shared/content.ts";
import { useShell } from "../../shared/shell.ts";
import { useWords } from "../../words/siteWords.ts";
import { Arrow } from "../parts/CallToAction.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";

/** On a page: first in its `main`. */
export function Announcement() {
  const { announcement } = useShell();
  return announcement && <Line {...announcement} />;
}

/** In the dashboard: above the hero. */
export function AnnouncementPreview({ content }: LoadedPage) {
  return <Line {...valueOf(content, "announcement")} />;
}

/** Nothing without text. */
function Line({ text, link }: Content<"announcement">) {
  const { words, lang, ownersLang } = useWords();
  if (!text) return null;
  const address = safeUrl(link);
  return (
    <>
      <ExtraStyles of="announcement" />
      <aside className="announcement" aria-label={words.announcement} lang={lang}>
        <p dir="auto" lang={ownersLang}>
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
