/** A picture that opens large. */
import type { Pictures } from "../../../schema/pictures.ts";
import { fitted } from "../parts/fitted.ts";
import { Photo } from "../parts/Photo.tsx";

/** One picture with its words. */
export interface GalleryItem {
  readonly imageUrl: string;
  readonly title: string;
  readonly subtitle?: string | null;
}

/** What a card needs to open its picture; looking at it fetches the large view ahead. */
export interface Opener {
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/** A highlight or a transformation, and what opens it. */
export interface PosterProps {
  readonly item: GalleryItem & { readonly id: string };
  readonly pictures: Pictures;
  readonly opener: Opener;
}

/** Shows the picture with its words at the foot, and over all of it a button named after its title. */
export function Poster({ item, pictures, opener }: PosterProps) {
  const { id, imageUrl, title, subtitle } = item;
  return (
    <div className="poster">
      <Photo
        src={imageUrl}
        pictures={pictures}
        sizes="(min-width: 1280px) 24vw, (min-width: 1024px) 32vw, (min-width: 640px) 48vw, 85vw"
        className="poster-picture"
      />
      <div className="poster-words">
        <h3 id={`title-${id}`} className="poster-title fitted" style={fitted(title)}>
          {title}
        </h3>
        {subtitle && (
          <p id={`subtitle-${id}`} className="poster-subtitle">
            {subtitle}
          </p>
        )}
      </div>
      <button
        type="button"
        className="poster-opener"
        aria-haspopup="dialog"
        aria-labelledby={`title-${id}`}
        aria-describedby={subtitle ? `subtitle-${id}` : undefined}
        {...opener}
      />
    </div>
  );
}
