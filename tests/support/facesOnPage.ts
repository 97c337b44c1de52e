/** Queries for tests of first screens: the positions of the picture's face and of the text. */
import type { Face } from "./realPortraits.ts";

/** In CSS pixels of the window. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line of text, or a button. */
export interface Written extends Box {
  readonly label: string;
  readonly color: string;
  readonly size: number;
}

/** Whether two boxes overlap by more than a pixel. */
export const meets = (a: Box, b: Box): boolean =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** A picture's sides in its own pixels, and its face. */
export interface FaceOf {
  readonly width: number;
  readonly height: number;
  readonly of: Face;
}

/** Runs in the page: the position of the face, and every line of text in the hero and in the bar. */
export function facesAndWords({ width, height, of }: FaceOf) {
  const picture = document.querySelector<HTMLElement>(".hero-picture")!;
  const { objectFit, objectPosition, paddingLeft, paddingTop } = getComputedStyle(picture);
  const box = picture.getBoundingClientRect();
  const [left, top] = [box.left + parseFloat(paddingLeft), box.top + parseFloat(paddingTop)];
  const [wide, high] = [box.right - left - (left - box.left), box.bottom - top - (top - box.top)];
  const scales = [wide / width, high / height];
  const scale = objectFit === "contain" ? Math.min(...scales) : Math.max(...scales);
  const [atX, atY] = objectPosition.split(" ").map((each) => parseFloat(each) / 100);
  const x = (percent: number) =>
    left + (wide - width * scale) * atX! + (percent / 100) * width * scale;
  const y = (percent: number) =>
    top + (high - height * scale) * atY! + (percent / 100) * height * scale;
  const drawn = { left: x(of.left), top: y(of.top), right: x(of.right), bottom: y(of.bottom) };
  const seen = {
    left: Math.max(drawn.left, box.left),
    top: Math.max(drawn.top, box.top),
    right: Math.min(drawn.right, box.right),
    bottom: Math.min(drawn.bottom, box.bottom),
  };
  const [midX, midY] = [(drawn.left + drawn.right) / 2, (drawn.top + drawn.bottom) / 2];
  const face = {
    ...seen,
    isInSight: midX > left && midX < left + wide && midY > top && midY < top + high,
    /** The covered share, between 0 and 1. */
    share:
      (Math.max(0, seen.right - seen.left) *
        Math.max(0, Math.min(innerHeight, seen.bottom) - seen.top)) /
      ((drawn.right - drawn.left) * (drawn.bottom - drawn.top)),
  };
  const selector =
    ".hero-title, .hero-subtitle, .tagline li, .hero-lead, .hero-actions .button, .scroll-cue, .bar a:not(.skip), .bar form button";
  const written = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((each) => {
    if (!each.checkVisibility() || each.closest(".menu:popover-open")) return [];
    const words = document.createRange();
    words.selectNodeContents(each);
    const isBox = each.matches(".button");
    const { color, fontSize, lineHeight } = getComputedStyle(each);
    const rects = isBox ? [each.getBoundingClientRect()] : [...words.getClientRects()];
    return rects
      .filter((rect) => rect.width > 1 && rect.bottom > 0)
      .map(({ left, top, right, bottom }) => {
        // Letters stay within their line, which is lower than the font's own height.
        const over = isBox
          ? 0
          : Math.max(0, bottom - top - (parseFloat(lineHeight) || Infinity)) / 2;
        return {
          left,
          top: top + over,
          right,
          bottom: bottom - over,
          color,
          label: isBox ? "button" : each.className,
          size: parseFloat(fontSize),
        };
      });
  });
  return { face, written };
}
