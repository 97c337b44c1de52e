/** A poster: a picture with a title. A press opens the large picture (inline/largePicture.ts). */
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { createTitleFitStyle } from "../parts/fitTitle.ts";
import { Photo } from "../parts/Photo.tsx";
import { TextLine } from "../parts/TextLine.tsx";

/** `item` is a highlight or a transformation. `columns` is the number of columns in the widest layout, at most four. */
interface PosterProps {
  readonly item: {
    readonly id: string;
    readonly imageUrl: string;
    readonly title: string;
    readonly subtitle?: string | null;
  };
  readonly pictures: Pictures;
  readonly columns?: number;
}

function createPosterSizes(columns: number): string {
  const wide = [1, 2, 3].includes(columns) ? Math.ceil(96 / columns) : 24;
  const medium = Math.max(wide, 32);
  const small = Math.max(wide, 48);
  return `(min-width: 1280px) ${wide}vw, (min-width: 1024px) ${medium}vw, (min-width: 640px) ${small}vw, 80vw`;
}

/** Renders the picture with its text at the bottom, covered by a button that is named after the title. */
export function Poster({ item, pictures, columns = 4 }: PosterProps) {
  const { id, imageUrl, title, subtitle } = item;
  return (
    <div className="poster">
      <Photo
        src={imageUrl}
        pictures={pictures}
        sizes={createPosterSizes(columns)}
        crop="poster"
        className="poster-picture"
      />
      <div className="poster-caption">
        <h3
          id={`title-${id}`}
          className="poster-title fitted"
          dir="auto"
          style={createTitleFitStyle(title)}
        >
          <TextLine text={title} />
        </h3>
        {subtitle && (
          <p id={`subtitle-${id}`} className="poster-subtitle" dir="auto">
            <TextLine text={subtitle} />
          </p>
        )}
      </div>
      <button
        type="button"
        className="poster-opener"
        aria-haspopup="dialog"
        aria-labelledby={`title-${id}`}
        aria-describedby={subtitle ? `subtitle-${id}` : undefined}
      />
    </div>
  );
}
