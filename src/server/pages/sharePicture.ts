/** Draws the picture of a shared link from the name, the photo and the look, where the owner has chosen none. */
import { decode, encode } from "fast-png";
import pLimit from "p-limit";
import { colorChannels } from "../../schema/color.ts";
import { readableOn } from "../../schema/contrast.ts";
import { drawnWords } from "../../schema/drawnWords.ts";
import { type Content, entities } from "../../schema/index.ts";
import { variantUrl } from "../../schema/pictures.ts";
import { between } from "../../schema/heroFrames.ts";
import type { Rgb } from "../../schema/hexColor.ts";
import { DRAWN_PICTURES, DRAWN_SIZE } from "../../schema/drawnPictures.ts";
import type { Store } from "../storage/store.ts";
import { Coverage, drawable, lettersFor, type Words, widthOf } from "./drawnText.ts";
import { publicContent } from "./storeSource.ts";
import type { WebBuild } from "./webBuild.ts";

type Styles = Content<"styles">;

export interface SharePictureContext {
  readonly store: Store;
  readonly build: WebBuild;
  /** The file of an uploaded picture by its name; undefined when there is none. */
  readonly pictureFile: (name: string) => Promise<{ readonly path: string } | undefined>;
}

const { width: WIDTH, height: HEIGHT } = DRAWN_SIZE;
const MARGIN = 72;
/** X writes a title over the lowest fifth. */
const FOOT = Math.round(HEIGHT * 0.8);
const QUALITY = 86;

/** A picture takes some tens of megabytes while it is drawn. */
const oneAtOnce = pLimit(1);

/** A JPEG for each of these paths, drawn anew; undefined for any other path. */
export function sharePictures(
  context: SharePictureContext,
): (path: string) => Promise<Uint8Array<ArrayBuffer>> | undefined {
  return (path) => {
    const page = Object.entries(DRAWN_PICTURES).find(([, address]) => address === path)?.[0];
    return page === undefined ? undefined : oneAtOnce(() => draw(context, page));
  };
}

async function draw(context: SharePictureContext, page: string): Promise<Uint8Array<ArrayBuffer>> {
  const { store } = context;
  const styles = publicContent(store, "styles");
  const [hero, coachingHero] = [publicContent(store, "hero"), publicContent(store, "coachingHero")];
  const { title, line } = drawnWords(page, {
    site: publicContent(store, "site"),
    hero,
    coachingHero,
  });
  const photo = (page === "/coaching" ? coachingHero : hero).backgroundImage;
  const ground = colorOf(styles.heroBackgroundColor);
  const canvas = new Canvas(ground);
  // Dark shade makes a stage of a photo, light shade fog: on a light ground it stands beside the words.
  const isBeside = readableOn(styles.heroBackgroundColor) !== "#FFFFFF";
  const left = isBeside ? BESIDE : BEHIND;
  const pixels = await photoPixels(context, photo, left);
  if (pixels) canvas.photo(pixels, { left, styles, isShaded: !isBeside });
  else canvas.beams(colorOf(styles.heroAccentColor ?? styles.primaryColor));
  const room = (pixels && isBeside ? BESIDE : WIDTH) - 2 * MARGIN;
  await write(context, canvas, { styles, title, line, room });
  return canvas.jpeg();
}

interface Pixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly channels: number;
  /** Where the shown piece begins. */
  readonly left: number;
  readonly top: number;
}

/** Where the photo begins: behind the words and under shade, or beside them. */
const BEHIND = Math.round(WIDTH * 0.2);
const BESIDE = Math.round(WIDTH * 0.58);

/** The photo, as large as it covers its place; none when it isn't this site's or can't be read. */
async function photoPixels(
  { store, pictureFile }: SharePictureContext,
  address: string | null,
  from: number,
): Promise<Pixels | undefined> {
  const upload = store
    .of(entities.uploads)
    .read()
    .value.find(({ url }) => url === address);
  const file = upload && (await pictureFile(nameFor(upload)));
  if (!file) return undefined;
  const [wide, high] = [WIDTH - from, HEIGHT];
  const scale = Math.max(wide / upload.width, high / upload.height);
  const scaled = (side: number) => Math.ceil(side * scale);
  try {
    const image = new Bun.Image(await Bun.file(file.path).bytes(), { autoOrient: false });
    const png = await image.resize(scaled(upload.width), scaled(upload.height)).png().bytes();
    const { data, width, height, channels } = decode(png);
    const { x, y } = upload.focus ?? { x: 66, y: 25 };
    const [left, top] = [((width - wide) * x) / 100, ((height - high) * y) / 100];
    return { data, width, channels, left: Math.floor(left), top: Math.floor(top) };
  } catch {
    return undefined;
  }
}

/** The variant that is large enough, which is decoded sooner than the original. */
function nameFor({ filename, url, widths }: Content<"uploads">[number]): string {
  const width = widths.find((each) => each >= 1280);
  return width === undefined ? filename : variantUrl(url, width).split("/").at(-1)!;
}

interface Lettering {
  readonly styles: Styles;
  readonly title: string;
  readonly line: string;
  /** How long a line may be, in pixels. */
  readonly room: number;
}

/** Both lines at the lower left, the title as large as it fits; letters that neither the look's fonts nor the widest have are left out. */
async function write(
  { build }: SharePictureContext,
  canvas: Canvas,
  { styles, title, line, room }: Lettering,
): Promise<void> {
  const cased = styles.headingCase === "capitals" ? title.toUpperCase() : title;
  const heading = await lettersFor(build, cased, styles.headingFont, Number(styles.headingWeight));
  const body = await lettersFor(build, line, styles.bodyFont, 500);
  let foot = FOOT - 8;
  const text = drawable(line, body);
  const words: Words = { text, font: body, size: 34 };
  const size = Math.min(34, (34 * room) / Math.max(1, widthOf(words)));
  canvas.write([{ ...words, size }], foot, colorOf(styles.heroAccentColor ?? styles.primaryColor));
  if (text) foot -= 62;
  const lines = linesOf(
    drawable(cased, heading),
    (text, size) => widthOf({ text, font: heading, size }) <= room,
  );
  canvas.write(
    lines.map(({ text, size }) => ({ text, font: heading, size })),
    foot,
    colorOf(styles.heroTextColor ?? styles.textColor),
  );
}

const LARGEST = 184;
/** A title that would have to be smaller stands on two lines. */
const LEAST_ON_ONE = 104;

function linesOf(title: string, fits: (text: string, size: number) => boolean) {
  const largest = (texts: readonly string[], most: number) => {
    let size = most;
    while (size > 24 && !texts.every((text) => fits(text, size))) size -= 4;
    return size;
  };
  const one = largest([title], LARGEST);
  const spaces = [...title.matchAll(/ /g)].map(({ index }) => index);
  if (one >= LEAST_ON_ONE || spaces.length === 0) return [{ text: title, size: one }];
  const middle = spaces.toSorted(
    (a, b) => Math.abs(a - title.length / 2) - Math.abs(b - title.length / 2),
  )[0]!;
  const both = [title.slice(0, middle), title.slice(middle + 1)];
  const size = largest(both, 132);
  return both.map((text) => ({ text, size }));
}

/** The picture while it is drawn. */
class Canvas {
  readonly #pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  constructor(ground: Rgb) {
    for (let at = 0; at < this.#pixels.length; at += 3) this.#pixels.set(ground, at);
  }

  /** The photo right of `left`, in the look's tones where it wants them, under shade from the left and from below. */
  photo(
    { data, width, channels, left: first, top }: Pixels,
    { left, styles, isShaded }: { left: number; styles: Styles; isShaded: boolean },
  ): void {
    const tones = styles.pictures === "oneTone" ? tonesOf(styles) : undefined;
    const [green, blue] = channels > 2 ? [1, 2] : [0, 0];
    for (let y = 0; y < HEIGHT; y += 1) {
      const below = isShaded ? 1 - fromBelow(y) : 1;
      for (let x = left; x < WIDTH; x += 1) {
        const from = ((y + top) * width + x - left + first) * channels;
        const light = isShaded ? below * (1 - fromLeft(x)) : 1;
        const [r, g, b] = [data[from]!, data[from + green]!, data[from + blue]!];
        // In numbers alone: a list for each pixel would take longer than all the rest.
        const gray = tones ? Math.min(255, Math.round(0.5 * r + 0.45 * g + 0.25 * b)) * 3 : 0;
        this.#lay(y * WIDTH + x, 0, tones ? tones[gray]! : r, light);
        this.#lay(y * WIDTH + x, 1, tones ? tones[gray + 1]! : g, light);
        this.#lay(y * WIDTH + x, 2, tones ? tones[gray + 2]! : b, light);
      }
    }
  }

  /** Two beams from above, where nobody has lit the stage yet. */
  beams(light: Rgb): void {
    for (let y = 0; y < HEIGHT; y += 1)
      for (let x = 0; x < WIDTH; x += 1) {
        const across = (start: number, end: number) => {
          const axis = start + ((end - start) * y) / HEIGHT;
          return Math.max(0, 1 - Math.abs(x - axis) / (50 + (190 * y) / HEIGHT));
        };
        const lit = (across(900, 720) + across(980, 1130)) * 0.34 * (1 - fromBelow(y));
        for (let channel = 0; channel < 3; channel += 1)
          this.#lay(y * WIDTH + x, channel, light[channel]!, Math.min(0.6, lit));
      }
  }

  /** Lines of words, the last one on `foot`. */
  write(lines: readonly Words[], foot: number, ink: Rgb): void {
    const coverage = new Coverage(WIDTH, HEIGHT);
    let y = foot;
    for (const words of lines.toReversed()) {
      coverage.write(words, MARGIN - words.size * 0.02, y);
      y -= words.size * 0.98;
    }
    const values = coverage.values();
    for (let at = 0; at < values.length; at += 1)
      if (values[at]! > 0)
        for (let channel = 0; channel < 3; channel += 1)
          this.#lay(at, channel, ink[channel]!, values[at]!);
  }

  async jpeg(): Promise<Uint8Array<ArrayBuffer>> {
    const data = this.#pixels;
    const png = encode({ width: WIDTH, height: HEIGHT, data, channels: 3 }, { zlib: { level: 1 } });
    const bytes = await new Bun.Image(new Uint8Array(png)).jpeg({ quality: QUALITY }).bytes();
    return new Uint8Array(bytes);
  }

  /** A share of a color over what is there. */
  #lay(pixel: number, channel: number, color: number, share: number): void {
    const at = 3 * pixel + channel;
    this.#pixels[at] = Math.round(this.#pixels[at]! + (color - this.#pixels[at]!) * share);
  }
}

const fromLeft = (x: number) => Math.max(0, 1 - (x - BEHIND) / (WIDTH * 0.45)) ** 1.4;
const fromBelow = (y: number) => 0.88 * Math.min(1, Math.max(0, (y / HEIGHT - 0.26) / 0.34));

/** What each gray becomes, as the pages' filter does it (web/shared/tone.ts): three channels for each. */
function tonesOf({ toneShadow, toneMiddle, toneLight }: Styles): Uint8Array {
  const [shadow, middle, light] = [colorOf(toneShadow), colorOf(toneMiddle), colorOf(toneLight)];
  const tones = Array.from({ length: 256 }, (_, gray) => {
    const share = gray / 127.5;
    return share < 1 ? between(shadow, middle, share) : between(middle, light, share - 1);
  });
  return Uint8Array.from(tones.flat());
}

const colorOf = (color: string): Rgb => colorChannels(color) ?? [0, 0, 0];
