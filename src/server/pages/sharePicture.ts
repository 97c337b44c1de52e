/** Draws the picture for shared links from the name, the photo and the look, unless the owner chose a picture. */
import {
  parseColorOrBlack,
  chooseReadableTextColor,
  toSixDigitHex,
} from "../../schema/core/color.ts";
import {
  createSharePictureText,
  SHARE_PICTURE_PATHS,
  SHARE_PICTURE_SIZE_PX,
} from "../../schema/looks/sharePictures.ts";
import { type Content, entities } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import { createVariantName } from "../storage/pictures/pictureNames.ts";
import type { Store } from "../storage/store.ts";
import { TONE_WEIGHTS } from "../../web/entry-server.tsx";
import { createDataUrl, drawSvg } from "./drawSvg.ts";
import {
  selectDrawableText,
  chooseOutlines,
  createTextPath,
  type TextRun,
  measureTextWidth,
} from "./textOutlines.ts";
import { readPublicContent } from "./publicContent.ts";
import type { WebBuild } from "./webBuild.ts";

type Styles = Content<"styles">;

export interface SharePictureContext {
  readonly store: Store;
  readonly build: WebBuild;
  /** Finds the file of an uploaded picture; undefined if there is none. */
  readonly findPictureFile: (name: string) => Promise<{ readonly path: string } | undefined>;
}

const { width: WIDTH, height: HEIGHT } = SHARE_PICTURE_SIZE_PX;
const MARGIN_PX = 72;
/** The baseline of the last line. The lowest fifth stays free, since the network X puts a title there. */
const BASELINE_PX = Math.round(HEIGHT * 0.8);
const JPEG_QUALITY = 86;

/** Draws the share picture at a path as a JPEG; returns undefined for an unknown path. */
export function drawSharePicture(
  context: SharePictureContext,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> | undefined {
  const [page] =
    Object.entries(SHARE_PICTURE_PATHS).find(([, picturePath]) => picturePath === path) ?? [];
  return page === undefined ? undefined : drawPagePicture(context, page);
}

async function drawPagePicture(
  context: SharePictureContext,
  page: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { store } = context;
  const styles = readPublicContent(store, "styles");
  const [hero, coachingHero] = [
    readPublicContent(store, "hero"),
    readPublicContent(store, "coachingHero"),
  ];
  const { title, line } = createSharePictureText(page, {
    site: readPublicContent(store, "site"),
    hero,
    coachingHero,
  });
  const photoUrl = (page === COACHING_PATH ? coachingHero : hero).backgroundImage;
  // On a light background, the photo is beside the text, since a light shade over the photo looks like fog.
  const isPhotoBesideText = chooseReadableTextColor(styles.heroBackgroundColor) !== "#FFFFFF";
  const photoLeft = isPhotoBesideText ? PHOTO_LEFT_BESIDE_TEXT_PX : PHOTO_LEFT_BEHIND_TEXT_PX;
  const placedPhoto = await positionPhoto(context, photoUrl, photoLeft);
  const widthPx =
    (placedPhoto && isPhotoBesideText ? PHOTO_LEFT_BESIDE_TEXT_PX : WIDTH) - 2 * MARGIN_PX;
  const backgroundColor = toSixDigitHex(styles.heroBackgroundColor);
  const layers = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${backgroundColor}"/>`,
    placedPhoto ? createPhotoSvg(placedPhoto, photoLeft, styles) : createBeamsSvg(styles),
    placedPhoto && isPhotoBesideText
      ? ""
      : createShadeSvg(backgroundColor, placedPhoto !== undefined),
    await createLetteringSvg(context, { styles, title, line, widthPx }),
  ];
  const png = await drawSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${WIDTH}" height="${HEIGHT}">${layers.join("")}</svg>`,
  );
  return new Uint8Array(await new Bun.Image(png).jpeg({ quality: JPEG_QUALITY }).bytes());
}

/** A photo scaled to cover its area, and its offset in the area. */
interface PlacedPhoto {
  readonly dataUrl: string;
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** The left edge of a shaded photo behind the text. */
const PHOTO_LEFT_BEHIND_TEXT_PX = Math.round(WIDTH * 0.2);
const PHOTO_LEFT_BESIDE_TEXT_PX = Math.round(WIDTH * 0.58);

/** Returns the scaled photo; undefined if it isn't an upload of this site or can't be read. */
async function positionPhoto(
  { store, findPictureFile }: SharePictureContext,
  photoUrl: string | null,
  photoLeft: number,
): Promise<PlacedPhoto | undefined> {
  const upload = store
    .of(entities.uploads)
    .read()
    .value.find(({ url }) => url === photoUrl);
  const file = upload && (await findPictureFile(chooseVariant(upload)));
  if (!file) return undefined;
  const [areaWidth, areaHeight] = [WIDTH - photoLeft, HEIGHT];
  const scale = Math.max(areaWidth / upload.width, areaHeight / upload.height);
  const [width, height] = [Math.ceil(upload.width * scale), Math.ceil(upload.height * scale)];
  try {
    const image = new Bun.Image(await Bun.file(file.path).bytes(), { autoOrient: false });
    const bytes = await image.resize(width, height).jpeg({ quality: 95 }).bytes();
    const { x, y } = upload.focus ?? { x: 66, y: 25 };
    const [cropLeft, cropTop] = [
      ((width - areaWidth) * x) / 100,
      ((height - areaHeight) * y) / 100,
    ];
    const dataUrl = createDataUrl("image/jpeg", bytes);
    return { dataUrl, width, height, x: -Math.floor(cropLeft), y: -Math.floor(cropTop) };
  } catch {
    return undefined;
  }
}

/** Returns the file name of the smallest variant that is large enough, since it decodes faster than the original. */
function chooseVariant({ filename, widths }: Content<"uploads">[number]): string {
  const width = widths.find((each) => each >= 1280);
  return width === undefined ? filename : createVariantName(filename, width);
}

/** Draws the photo to the right of `left`, with the look's tones if it has any. */
function createPhotoSvg(
  { dataUrl, width, height, x, y }: PlacedPhoto,
  left: number,
  styles: Styles,
): string {
  const sizeAttributes = `width="${WIDTH - left}" height="${HEIGHT}"`;
  const isToned = styles.pictures === "oneTone";
  // `optimizeSpeed` turns smoothing off: the photo has its final size already.
  return (
    (isToned ? createToneFilterSvg(styles, sizeAttributes) : "") +
    `<svg x="${left}" ${sizeAttributes}><g ${isToned ? 'filter="url(#tone)"' : ""}>` +
    `<image image-rendering="optimizeSpeed" x="${x}" y="${y}" width="${width}" height="${height}" xlink:href="${dataUrl}"/></g></svg>`
  );
}

/** Creates a filter that maps brightness to the look's tones, as web/shared/toneFilter.ts does on pages. */
function createToneFilterSvg(
  { toneShadow, toneMiddle, toneLight }: Styles,
  sizeAttributes: string,
): string {
  const tones = [toneShadow, toneMiddle, toneLight].map(parseColorOrBlack);
  const row = `${TONE_WEIGHTS.join(" ")} 0 0 `;
  const tables = ["R", "G", "B"].map((name, channel) => {
    const values = tones.map((tone) => (tone[channel] ?? 0) / 255);
    return `<feFunc${name} type="table" tableValues="${values.join(" ")}"/>`;
  });
  return (
    `<filter id="tone" filterUnits="userSpaceOnUse" x="0" y="0" ${sizeAttributes} color-interpolation-filters="sRGB">` +
    `<feColorMatrix values="${row.repeat(3)}0 0 0 1 0"/>` +
    `<feComponentTransfer>${tables.join("")}</feComponentTransfer></filter>`
  );
}

/** Draws the shade behind the text: upward from the bottom, and over a photo also from the left. */
function createShadeSvg(backgroundColor: string, isOnPhoto: boolean): string {
  const createShade = (
    id: string,
    endpoints: string,
    stops: readonly (readonly [number, number])[],
  ) =>
    `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${endpoints}>${stops
      .map(
        ([offset, opacity]) =>
          `<stop offset="${offset}" stop-color="${backgroundColor}" stop-opacity="${opacity}"/>`,
      )
      .join("")}</linearGradient>` +
    `<rect x="${isOnPhoto ? PHOTO_LEFT_BEHIND_TEXT_PX : 0}" width="${WIDTH}" height="${HEIGHT}" fill="url(#${id})"/>`;
  const verticalEndpoints = `x1="0" x2="0" y1="${HEIGHT * 0.26}" y2="${HEIGHT * 0.6}"`;
  const horizontalEndpoints = `x1="${PHOTO_LEFT_BEHIND_TEXT_PX}" x2="${PHOTO_LEFT_BEHIND_TEXT_PX + WIDTH * 0.45}" y1="0" y2="0"`;
  const softStops = Array.from(
    { length: 9 },
    (_, index) => [index / 8, (1 - index / 8) ** 1.4] as const,
  );
  return (
    createShade("below", verticalEndpoints, [
      [0, 0],
      [1, 0.88],
    ]) + (isOnPhoto ? createShade("left", horizontalEndpoints, softStops) : "")
  );
}

/** Draws two beams of light from above, if there is no photo. */
function createBeamsSvg({ heroAccentColor, primaryColor }: Styles): string {
  const layers = 40;
  const createBeam = (top: number, bottom: number) =>
    Array.from({ length: layers }, (_, index) => {
      const [narrow, wide] = [(50 * (index + 1)) / layers, (240 * (index + 1)) / layers];
      return `<path d="M${top - narrow} 0H${top + narrow}L${bottom + wide} ${HEIGHT}H${bottom - wide}Z"/>`;
    }).join("");
  const light = toSixDigitHex(heroAccentColor ?? primaryColor);
  return `<g fill="${light}" fill-opacity="${0.34 / layers}">${createBeam(900, 720)}${createBeam(980, 1130)}</g>`;
}

interface LetteringOptions {
  readonly styles: Styles;
  readonly title: string;
  readonly line: string;
  /** The maximum width of a line, in pixels. */
  readonly widthPx: number;
}

/** Draws title and subtitle at the lower left, the title as large as possible. Skips letters without a glyph. */
async function createLetteringSvg(
  { build }: SharePictureContext,
  { styles, title, line, widthPx }: LetteringOptions,
): Promise<string> {
  const casedTitle = styles.headingCase === "capitals" ? title.toUpperCase() : title;
  const headingGlyphs = await chooseOutlines(
    build,
    casedTitle,
    styles.headingFont,
    Number(styles.headingWeight),
  );
  const bodyGlyphs = await chooseOutlines(build, line, styles.bodyFont, 500);
  const baseline = BASELINE_PX - 8;
  const subtitle: TextRun = {
    text: selectDrawableText(line, bodyGlyphs),
    font: bodyGlyphs,
    size: 34,
  };
  const fittedSize = Math.min(34, (34 * widthPx) / Math.max(1, measureTextWidth(subtitle)));
  const lines = breakTitle(
    selectDrawableText(casedTitle, headingGlyphs),
    (text, size) => measureTextWidth({ text, font: headingGlyphs, size }) <= widthPx,
  ).map(({ text, size }) => ({ text, font: headingGlyphs, size }));
  return (
    drawTextLines(
      [{ ...subtitle, size: fittedSize }],
      baseline,
      styles.heroAccentColor ?? styles.primaryColor,
    ) +
    drawTextLines(
      lines,
      subtitle.text ? baseline - 62 : baseline,
      styles.heroTextColor ?? styles.textColor,
    )
  );
}

/** Draws lines of text; `baseline` is the baseline of the last line. */
function drawTextLines(lines: readonly TextRun[], baseline: number, color: string): string {
  let y = baseline;
  const paths = lines.toReversed().map((run) => {
    const path = createTextPath(run, MARGIN_PX - run.size * 0.02, y);
    y -= run.size * 0.98;
    return path;
  });
  return `<g fill="${toSixDigitHex(color)}">${paths.join("")}</g>`;
}

const MAX_TITLE_PX = 184;
/** The smallest size of a title in one line. A longer title is set in two lines. */
const MIN_SINGLE_LINE_PX = 104;

function breakTitle(title: string, fits: (text: string, size: number) => boolean) {
  const computeLargestSize = (texts: readonly string[], max: number) => {
    let size = max;
    while (size > 24 && !texts.every((text) => fits(text, size))) size -= 4;
    return size;
  };
  const singleLineSize = computeLargestSize([title], MAX_TITLE_PX);
  const spaces = [...title.matchAll(/ /g)].map(({ index }) => index);
  if (singleLineSize >= MIN_SINGLE_LINE_PX || spaces.length === 0)
    return [{ text: title, size: singleLineSize }];
  const computeDistance = (space: number) => Math.abs(space - title.length / 2);
  const middleIndex = spaces.reduce((a, b) => (computeDistance(b) < computeDistance(a) ? b : a));
  const halves = [title.slice(0, middleIndex), title.slice(middleIndex + 1)];
  const size = computeLargestSize(halves, 132);
  return halves.map((text) => ({ text, size }));
}
