/** The section of coaching results: pictures that open full screen. */
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { ExtraStyles } from "../extras/ExtraStyles.tsx";
import { BeforeAfter } from "../extras/BeforeAfter.tsx";
import { Poster } from "../gallery/Poster.tsx";
import { CallToAction } from "../parts/CallToAction.tsx";
import { SectionShell } from "../parts/SectionShell.tsx";

/** Renders nothing without transformations (specification, section 2.4). */
export function Transformations({ content, pictures }: LoadedPage) {
  const { words, lang } = useWords();
  const items = (content.transformations ?? []).map((item, index) => ({
    ...item,
    title: item.title || fillPlaceholders(words.coaching.transformation, { number: index + 1 }),
    untitled: !item.title,
  }));
  const settings = getSingletonValue(content, "transformationSettings");
  if (items.length === 0) return null;
  const areAllPairs = items.every(({ beforeUrl }) => beforeUrl);
  return (
    <SectionShell id="transformations" settings={settings}>
      {items.some(({ beforeUrl }) => beforeUrl) && <ExtraStyles extra="beforeAfter" />}
      <ul className="transformations" data-gallery={areAllPairs ? undefined : "lightbox"}>
        {items.map(({ beforeUrl, ...item }) => (
          <li key={item.id} data-untitled={item.untitled ? "" : undefined}>
            {beforeUrl ? (
              <BeforeAfter item={{ ...item, beforeUrl }} pictures={pictures} />
            ) : (
              <Poster item={item} pictures={pictures} />
            )}
          </li>
        ))}
      </ul>
      <div className="transformations-footer">
        <p className="display" lang={lang}>
          {words.coaching.ready}
        </p>
        {content.coachingHero && <CallToAction action={content.coachingHero} />}
      </div>
    </SectionShell>
  );
}
