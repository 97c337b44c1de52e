/** The pictures that the server draws for shared links: their paths, their text and the drawable characters. */
import { normalizeText } from "../core/boundedUnicode.ts";
import type { Content } from "../index.ts";
import { applyCoachingDefaults } from "../sections/coachingDefaults.ts";
import { COACHING_PATH } from "../sections/pageOrder.ts";
import { splitTagline } from "../sections/tagline.ts";

/** The paths of drawn pictures, by page. A page has a drawn picture unless the owner chose another. */
export const SHARE_PICTURE_PATHS = {
  "/": "/share-home.jpg",
  [COACHING_PATH]: "/share-coaching.jpg",
} as const;

/** The size of a picture in pixels, as messengers and search engines expect it. */
export const SHARE_PICTURE_SIZE_PX = { width: 1200, height: 630 } as const;

interface SharePictureContent {
  readonly site: Pick<Content<"site">, "name">;
  readonly hero: Pick<Content<"hero">, "tagline" | "subtitle">;
  readonly coachingHero: Pick<Content<"coachingHero">, "mainTitle" | "subtitle" | "tagline">;
}

/** Returns the text in a page's picture: a title and the line below. */
export function createSharePictureText(
  path: string,
  { site, hero, coachingHero }: SharePictureContent,
) {
  if (path === COACHING_PATH) {
    const { mainTitle, subtitle } = applyCoachingDefaults(coachingHero);
    return { title: `${mainTitle} ${subtitle}`, line: site.name };
  }
  return { title: site.name, line: splitTagline(hero.tagline).join(" · ") || hero.subtitle };
}

/**
 * The characters that can be drawn, as ranges of code points: Latin with Vietnamese, Greek, Cyrillic and punctuation.
 * Other scripts need joined or stacked letters, or have thousands of letters.
 */
export const DRAWABLE_CODE_POINTS = [
  [0x20, 0x7e],
  [0xa0, 0x148],
  [0x14a, 0x1c3],
  [0x1c5, 0x24f],
  [0x386, 0x3ce],
  [0x400, 0x479],
  [0x48a, 0x49d],
  [0x4a0, 0x4ff],
  [0x1e80, 0x1e85],
  [0x1ea0, 0x1ef9],
  [0x2010, 0x2026],
] as const;

/** The longest text that is drawn, in characters. Titles and lines are always shorter. */
export const MAX_DRAWN_LENGTH = 1000;

/** Whether all letters and digits of a text can be drawn. Other characters, such as emoji, are ignored. */
export function canBeDrawn(text: string): boolean {
  const letters = normalizeText(text, "NFC", MAX_DRAWN_LENGTH)?.match(/[\p{L}\p{M}\p{N}]/gu) ?? [];
  return letters.every((letter) => {
    const codePoint = letter.codePointAt(0) ?? 0;
    return DRAWABLE_CODE_POINTS.some(([first, last]) => first <= codePoint && codePoint <= last);
  });
}
