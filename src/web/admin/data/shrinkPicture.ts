/** Rotates a picture upright and shrinks it for upload, in a worker if possible. */
import { MAX_UPLOAD_BYTES } from "../../../schema/pictures/uploadLimits.ts";

/** The maximum width and height of an uploaded picture. Even the widest variant on pages is smaller. */
const MAX_SIDE_PX = 2560;

type Canvas = OffscreenCanvas | HTMLCanvasElement;

const BEST_QUALITY = 0.86;
/** The qualities to try, in this order, if the picture exceeds the upload limit. */
const LOWER_QUALITIES = [0.7, 0.5];

/**
 * Returns the picture upright and shrunk, as WebP; as JPEG or PNG if the browser can't write WebP. Returns `picture`
 * itself if it is small enough and `canReturnOriginal` is set. Undefined if the browser can't read the picture.
 */
export async function shrinkPicture(
  picture: Blob,
  canReturnOriginal: boolean,
  createCanvas: (width: number, height: number) => Canvas,
): Promise<Blob | undefined> {
  const bitmap = await readUpright(picture);
  if (!bitmap) return undefined;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  const isOriginalAcceptable = canReturnOriginal && picture.size <= MAX_UPLOAD_BYTES;
  try {
    if (scale === 1 && isOriginalAcceptable) return picture;
    const canvas = drawPicture(bitmap, scale, createCanvas);
    const encoded = await encodeCanvas(canvas);
    return isOriginalAcceptable && encoded.size >= picture.size ? picture : encoded;
  } finally {
    bitmap.close();
  }
}

async function readUpright(picture: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(picture, { imageOrientation: "from-image" });
  } catch (error) {
    // Browsers that don't support `imageOrientation` throw a TypeError. They rotate pictures even without the option.
    if (error instanceof TypeError) return createImageBitmap(picture).catch(() => undefined);
    return undefined;
  }
}

function drawPicture(
  bitmap: ImageBitmap,
  scale: number,
  createCanvas: (width: number, height: number) => Canvas,
): Canvas {
  const scaleSide = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [scaleSide(bitmap.width), scaleSide(bitmap.height)];
  const canvas = createCanvas(width, height);
  const context = getContext2d(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

async function encodeCanvas(canvas: Canvas): Promise<Blob> {
  let encoded = await encodeWithQuality(canvas, BEST_QUALITY);
  for (const quality of LOWER_QUALITIES) {
    if (encoded.size <= MAX_UPLOAD_BYTES) break;
    encoded = await encodeWithQuality(canvas, quality);
  }
  return encoded;
}

async function encodeWithQuality(canvas: Canvas, quality: number): Promise<Blob> {
  const webp = await canvasToBlob(canvas, "image/webp", quality);
  // Browsers that can't write WebP return PNG instead, which is kept only for transparent pictures.
  return webp.type === "image/webp" || isTransparent(canvas)
    ? webp
    : canvasToBlob(canvas, "image/jpeg", quality);
}

async function canvasToBlob(canvas: Canvas, type: string, quality: number): Promise<Blob> {
  if ("convertToBlob" in canvas) return canvas.convertToBlob({ type, quality });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  if (!blob) throw new Error("not written");
  return blob;
}

/** Checks all pixels, since a logo may be transparent only in one corner. */
function isTransparent(canvas: Canvas): boolean {
  const { data } = getContext2d(canvas).getImageData(0, 0, canvas.width, canvas.height);
  for (let index = 3; index < data.length; index += 4) if (data[index] !== 255) return true;
  return false;
}

type CanvasContext = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

function getContext2d(canvas: Canvas): CanvasContext {
  return canvas.getContext("2d") as CanvasContext;
}
