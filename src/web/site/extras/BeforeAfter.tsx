/** A before-and-after pair: the later picture over the earlier one, with a slider over both. */
import type { CSSProperties } from "react";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { addColon, fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { createTitleFitStyle } from "../parts/fitTitle.ts";
import { Photo } from "../parts/Photo.tsx";
import { TextLine } from "../parts/TextLine.tsx";

interface BeforeAfterProps {
  readonly item: { readonly imageUrl: string; readonly beforeUrl: string; readonly title: string };
  readonly pictures: Pictures;
}

/** inline/beforeAfterSlider.ts moves the divider. Without scripts the pictures are side by side. */
export function BeforeAfter({ item: { imageUrl, beforeUrl, title }, pictures }: BeforeAfterProps) {
  const { words, lang } = useWords();
  const { before, after, beforeAndAfter } = words.coaching;
  const renderPicture = (src: string, label: string) => (
    <Photo
      src={src}
      pictures={pictures}
      sizes="(min-width: 1280px) 24vw, (min-width: 1024px) 32vw, (min-width: 640px) 48vw, 96vw"
      crop="poster"
      alt={`${addColon(label, words)} ${title}`}
      className="poster-picture"
    />
  );
  return (
    <figure className="poster pair" data-pair="" style={{ "--at": "50%" } as CSSProperties}>
      {renderPicture(beforeUrl, before)}
      {renderPicture(imageUrl, after)}
      <span lang={lang} aria-hidden="true">
        {before}
      </span>
      <span lang={lang} aria-hidden="true">
        {after}
      </span>
      <input
        type="range"
        min="0"
        max="100"
        defaultValue="50"
        lang={lang}
        aria-label={fillPlaceholders(beforeAndAfter, { title })}
      />
      <figcaption className="poster-caption">
        <h3 className="poster-title fitted" dir="auto" style={createTitleFitStyle(title)}>
          <TextLine text={title} />
        </h3>
      </figcaption>
    </figure>
  );
}
