/** The coach's portrait beside the form. */
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { Photo, type ImageSources, createSources } from "../parts/Photo.tsx";

/** Phones load the same file as on the home page, which they often have already. */
const PORTRAIT_PLACEMENT = { sizes: "(min-width: 1024px) 36vw, 88vw", crop: "about" } as const;

interface CoachPortraitProps {
  readonly src: string;
  readonly pictures: Pictures;
}

export function CoachPortrait({ src, pictures }: CoachPortraitProps) {
  return <Photo src={src} pictures={pictures} {...PORTRAIT_PLACEMENT} />;
}

/** Returns the portrait's sources, for preloading. */
export const createPortraitSources = (src: string, pictures: Pictures): ImageSources =>
  createSources(src, { pictures, ...PORTRAIT_PLACEMENT });
