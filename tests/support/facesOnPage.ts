/** Measures first screens: the positions of the picture's face, of the text and of the announcement. */
import { decode } from "fast-png";
import { computeLuminanceContrast, computeRgbLuminance } from "../../src/schema/core/hexColor.ts";
import type { TestPage } from "./browser.ts";
import type { Face } from "./realPortraits.ts";

/** A box in CSS pixels of the window. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line of text, or a button. */
export interface TextBox extends Box {
  readonly label: string;
  readonly color: string;
  readonly size: number;
  readonly isInBar: boolean;
}

/** Whether two boxes overlap by more than a pixel. */
export const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** A picture's sides in its own pixels, and its face. */
export interface PictureWithFace {
  readonly width: number;
  readonly height: number;
  readonly face: Face;
}

/** Runs in the page. Measures every line of text in the hero and in the bar, the bar's end, and the announcement. */
export function measureTexts() {
  const selector =
    ".hero-title, .hero-subtitle, .tagline li, .hero-lead, .hero-actions .button, .scroll-cue, .bar a:not(.skip), .bar form button";
  const written = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((each) => {
    if (!each.checkVisibility() || each.closest(".menu:popover-open")) return [];
    const range = document.createRange();
    range.selectNodeContents(each);
    const isBox = each.matches(".button");
    const { color, fontSize, lineHeight, backgroundClip } = getComputedStyle(each);
    const rects = isBox ? [each.getBoundingClientRect()] : [...range.getClientRects()];
    return rects
      .filter((rect) => rect.width > 1 && rect.bottom > 0)
      .map(({ left, top, right, bottom }) => {
        // Letters stay within their line's height, which is less than the font's own.
        const overhang = isBox
          ? 0
          : Math.max(0, bottom - top - (parseFloat(lineHeight) || Infinity)) / 2;
        return {
          left,
          top: top + overhang,
          right,
          bottom: bottom - overhang,
          // A title in two colors is white on its picture.
          color: backgroundClip === "text" ? "rgb(255, 255, 255)" : color,
          label: isBox ? "button" : each.className,
          size: parseFloat(fontSize),
          isInBar: each.closest(".bar") !== null,
        };
      });
  });
  const getBox = (selector: string): Box | undefined =>
    document.querySelector(selector)?.getBoundingClientRect().toJSON();
  return {
    written,
    barEnd: getBox(".bar")!.bottom,
    announcement: getBox(".announcement p"),
    picture: getBox(".hero-picture"),
    /** The picture if it is beside or above the text. Other pictures are behind the text. */
    figure: getBox(".hero[data-figure] > .hero-picture"),
  };
}

/** Runs in the page. Measures the position of the face. */
export function measureFace({ width, height, face }: PictureWithFace) {
  const picture = document.querySelector<HTMLElement>(".hero-picture")!;
  const { objectFit, objectPosition, paddingLeft, paddingTop } = getComputedStyle(picture);
  const box = picture.getBoundingClientRect();
  const [left, top] = [box.left + parseFloat(paddingLeft), box.top + parseFloat(paddingTop)];
  const [visibleWidth, visibleHeight] = [
    box.right - left - (left - box.left),
    box.bottom - top - (top - box.top),
  ];
  const scales = [visibleWidth / width, visibleHeight / height];
  const scale = objectFit === "contain" ? Math.min(...scales) : Math.max(...scales);
  const [atX, atY] = objectPosition.split(" ").map((each) => parseFloat(each) / 100);
  const toX = (percent: number) =>
    left + (visibleWidth - width * scale) * atX! + (percent / 100) * width * scale;
  const toY = (percent: number) =>
    top + (visibleHeight - height * scale) * atY! + (percent / 100) * height * scale;
  const drawn = {
    left: toX(face.left),
    top: toY(face.top),
    right: toX(face.right),
    bottom: toY(face.bottom),
  };
  const visible = {
    left: Math.max(drawn.left, box.left),
    top: Math.max(drawn.top, box.top),
    right: Math.min(drawn.right, box.right),
    bottom: Math.min(drawn.bottom, box.bottom),
  };
  const [midX, midY] = [(drawn.left + drawn.right) / 2, (drawn.top + drawn.bottom) / 2];
  return {
    ...visible,
    isInSight:
      midX > left && midX < left + visibleWidth && midY > top && midY < top + visibleHeight,
    /** The covered share of the face, between 0 and 1. */
    coveredShare:
      (Math.max(0, visible.right - visible.left) *
        Math.max(0, Math.min(innerHeight, visible.bottom) - visible.top)) /
      ((drawn.right - drawn.left) * (drawn.bottom - drawn.top)),
  };
}

/**
 * Returns the contrast of each text with the pixels behind it. The texts are hidden for that. One pixel in
 * `ignoredOneIn` may have less contrast.
 */
export async function measureContrasts<Text extends TextBox>(
  page: TestPage,
  written: readonly Text[],
  ignoredOneIn: number,
): Promise<(Text & { readonly contrast: number })[]> {
  await page.evaluate(hideTexts);
  const { data, width, height, channels } = decode(await page.screenshot());
  return written.map((text) => {
    const ink = computeRgbLuminance(parseChannels(text.color));
    const contrasts: number[] = [];
    for (let y = Math.ceil(Math.max(0, text.top)); y < Math.min(height, text.bottom); y += 3)
      for (let x = Math.ceil(Math.max(0, text.left)); x < Math.min(width, text.right); x += 3) {
        const offset = channels * (y * width + x);
        const behind = computeRgbLuminance([data[offset]!, data[offset + 1]!, data[offset + 2]!]);
        contrasts.push(computeLuminanceContrast(ink, behind));
      }
    contrasts.sort((a, b) => a - b);
    return { ...text, contrast: contrasts[Math.floor(contrasts.length / ignoredOneIn)] ?? 21 };
  });
}

/** Runs in the page. Hides the texts. */
function hideTexts(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ":is(.hero-text, .bar, .hero > .scroll-cue) *, .hero > .scroll-cue { visibility: hidden !important }",
  );
  document.adoptedStyleSheets = [sheet];
}

/** Returns the channels of a computed color as bytes. Mixed colors have shares of one instead. */
function parseChannels(color: string): [number, number, number] {
  const channels = color.match(/[\d.]+/g)!.map(Number);
  const [red, green, blue] = color.startsWith("color(")
    ? channels.map((each) => 255 * each)
    : channels;
  return [red!, green!, blue!];
}
