/** A picture that opens large. */
import type { Pictures } from "../../../schema/pictures.ts";
import { fitted } from "../fitted.ts";
import { Photo } from "../Photo.tsx";
import type { Opener } from "./PictureGallery.tsx";

/** A highlight's words and picture, or a transformation's. */
export interface PosterProps extends Opener {
  readonly id: string;
  readonly imageUrl: string;
  readonly title: string;
  readonly subtitle?: string | null;
  readonly pictures: Pictures;
}

/** Shows the picture with its words at the foot, as one button named after its title. */
export function Poster({ id, imageUrl, title, subtitle, pictures, ...opener }: PosterProps) {
  return (
    <button
      type="button"
      className="poster"
      aria-haspopup="dialog"
      aria-labelledby={`title-${id}`}
      aria-describedby={subtitle ? `subtitle-${id}` : undefined}
      {...opener}
    >
      <Photo
        src={imageUrl}
        pictures={pictures}
        sizes="(min-width: 1280px) 24vw, (min-width: 1024px) 32vw, (min-width: 640px) 48vw, 90vw"
        className="poster-picture"
      />
      <span className="poster-words">
        <span id={`title-${id}`} className="poster-title fitted" style={fitted(title)}>
          {title}
        </span>
        {subtitle && (
          // The button is named after its title alone; this is its description.
          <span id={`subtitle-${id}`} className="poster-subtitle" aria-hidden="true">
            {subtitle}
          </span>
        )}
      </span>
    </button>
  );
}
