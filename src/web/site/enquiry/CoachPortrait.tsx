/** The coach's portrait beside the form. */
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { Photo, type Sources, sourcesOf } from "../parts/Photo.tsx";

/** On phones the same file as on the home page, which visitors have already. */
const PLACED = { sizes: "(min-width: 1024px) 36vw, 88vw", crop: "about" } as const;

interface CoachPortraitProps {
  readonly src: string;
  readonly pictures: Pictures;
}

export function CoachPortrait({ src, pictures }: CoachPortraitProps) {
  return <Photo src={src} pictures={pictures} {...PLACED} />;
}

/** The portrait's sources, for code that preloads it. */
export const portraitSources = (src: string, pictures: Pictures): Sources =>
  sourcesOf(src, { pictures, ...PLACED });
