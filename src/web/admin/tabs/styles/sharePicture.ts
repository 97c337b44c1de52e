/** Draws the picture of a shared link from the name, the photo and the look. */
import type { Content } from "../../../../schema/index.ts";
import { safePictureUrl } from "../../../../schema/safeUrl.ts";
import { requestFont } from "../../../shared/fontLinks.ts";

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 72;
/** X writes the title over the lowest fifth. */
const LOWEST = HEIGHT * 0.8;

/** What the picture is drawn from. */
export interface SharePictureContent {
  readonly title: string;
  readonly subtitle: string;
  readonly photo: string | null;
  readonly styles: Content<"styles">;
  readonly fontProvider: string;
}

/** A JPEG of 1200 by 630. Rejects when the browser can't draw it. */
export async function drawSharePicture(content: SharePictureContent): Promise<File> {
  const { styles, fontProvider } = content;
  const family = styles.headingFont;
  requestFont(family, fontProvider);
  const [photo] = await Promise.all([
    loadPhoto(content.photo),
    document.fonts.load(`${styles.headingWeight} 96px "${family}"`, content.title),
  ]);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser can't draw.");
  paint(pen, photo, content);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  if (!blob) throw new Error("This browser can't draw.");
  return new File([blob], "share-picture.jpg", { type: "image/jpeg" });
}

/** The photo when it is this site's: a canvas with another's can't be read. */
async function loadPhoto(address: string | null): Promise<HTMLImageElement | undefined> {
  const url = safePictureUrl(address);
  if (!url?.startsWith("/")) return undefined;
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return image;
  } catch {
    return undefined;
  }
}

function paint(
  pen: CanvasRenderingContext2D,
  photo: HTMLImageElement | undefined,
  { title, subtitle, styles }: SharePictureContent,
): void {
  const ground = styles.heroBackgroundColor;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  if (photo) {
    cover(pen, photo);
    // The words stand on the ground's color, whatever the photo shows there.
    const shade = pen.createLinearGradient(0, 0, WIDTH * 0.8, 0);
    shade.addColorStop(0, ground);
    shade.addColorStop(0.45, `color-mix(in srgb, ${ground} 80%, transparent)`);
    shade.addColorStop(1, `color-mix(in srgb, ${ground} 0%, transparent)`);
    pen.fillStyle = shade;
    pen.fillRect(0, 0, WIDTH, HEIGHT);
  }
  const words = styles.headingCase === "capitals" ? title.toUpperCase() : title;
  const font = (size: number) =>
    `${styles.headingWeight} ${size}px "${styles.headingFont}", sans-serif`;
  let size = 190;
  do {
    size -= 6;
    pen.font = font(size);
  } while (size > 40 && pen.measureText(words).width > WIDTH - 2 * MARGIN);
  pen.textBaseline = "alphabetic";
  pen.fillStyle = styles.heroTextColor ?? styles.textColor;
  pen.fillText(words, MARGIN, LOWEST - 70);
  pen.font = `600 34px "${styles.bodyFont}", sans-serif`;
  pen.fillStyle = styles.heroAccentColor ?? styles.primaryColor;
  if (subtitle !== title) pen.fillText(subtitle, MARGIN, LOWEST - 10, WIDTH - 2 * MARGIN);
}

/** The photo over the right three quarters, cut as little as possible, its upper part kept. */
function cover(pen: CanvasRenderingContext2D, photo: HTMLImageElement): void {
  const left = WIDTH * 0.2;
  const [width, height] = [WIDTH - left, HEIGHT];
  const scale = Math.max(width / photo.naturalWidth, height / photo.naturalHeight);
  const [cutWidth, cutHeight] = [width / scale, height / scale];
  const x = (photo.naturalWidth - cutWidth) / 2;
  const y = (photo.naturalHeight - cutHeight) * 0.25;
  pen.drawImage(photo, x, y, cutWidth, cutHeight, left, 0, width, height);
}
