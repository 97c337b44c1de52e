/** Who answers an enquiry, beside its form. */
import type { Pictures } from "../../../schema/pictures.ts";
import { Photo, type Sources, sourcesOf } from "../parts/Photo.tsx";

/** On a phone as on the home page, whose visitors have the file already. */
const PLACED = { sizes: "(min-width: 1024px) 36vw, 88vw", place: "about" } as const;

interface CoachPortraitProps {
  readonly src: string;
  readonly pictures: Pictures;
}

export function CoachPortrait({ src, pictures }: CoachPortraitProps) {
  return <Photo src={src} pictures={pictures} {...PLACED} />;
}

/** What the browser will choose the portrait's file from, for whoever fetches it ahead. */
export const portraitSources = (src: string, pictures: Pictures): Sources =>
  sourcesOf(src, { pictures, ...PLACED });
