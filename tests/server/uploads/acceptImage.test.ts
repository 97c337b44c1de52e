import { describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { MAX_UPLOAD_BYTES } from "../../../src/schema/pictures/uploads.ts";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { addJpegMetadata } from "../../support/exif.ts";
import { createGif } from "../../support/gif.ts";
import {
  BACKLIT,
  concatBytes,
  PHOTOGRAPH,
  readPicture,
  createPicture,
} from "../../support/pictures.ts";
import { catchRefusal } from "../../support/catchRefusal.ts";
import { createPng } from "../../support/png.ts";
import {
  createAnimatedWebp,
  createTransparentAnimation,
  createWebpChunk,
} from "../../support/webp.ts";

function readPixels(bytes: Uint8Array<ArrayBufferLike>): Promise<Uint8Array> {
  return new Bun.Image(bytes).webp({ lossless: true }).bytes();
}

describe("a picture that is accepted", () => {
  test("a photograph stays a JPEG of its size", async () => {
    const accepted = await acceptImage(await readPicture(PHOTOGRAPH));
    expect(accepted).toMatchObject({
      mimetype: "image/jpeg",
      extension: "jpg",
      width: 1024,
      height: 788,
      isAnimated: false,
    });
    expect(await new Bun.Image(accepted.bytes).metadata()).toEqual({
      width: 1024,
      height: 788,
      format: "jpeg",
    });
  });

  test.each(["png", "webp"] as const)(
    "a lossless %s keeps its format and every pixel",
    async (format) => {
      const png = await createPicture("png", 90, 50);
      const original = format === "png" ? png : await readPixels(png);
      const accepted = await acceptImage(original);
      const expected = { mimetype: `image/${format}`, extension: format, width: 90 };
      expect(accepted).toMatchObject(expected);
      expect(await readPixels(accepted.bytes)).toEqual(await readPixels(original));
    },
  );

  test.each([
    ["a still", false, [5]],
    ["an animated", true, [5, 90, 20]],
  ])("%s GIF is stored unchanged", async (_name, isAnimated, frames) => {
    const gif = createGif(40, 30, frames as number[]);
    const accepted = await acceptImage(gif);
    const size = { width: 40, height: 30 };
    expect(accepted).toMatchObject({
      mimetype: "image/gif",
      extension: "gif",
      ...size,
      isAnimated,
    });
    expect(accepted.bytes).toEqual(gif);
  });

  test("a lossy WebP stays a WebP", async () => {
    const accepted = await acceptImage(await readPicture(BACKLIT));
    expect(accepted).toMatchObject({ mimetype: "image/webp", width: 1600, height: 1040 });
    expect((await new Bun.Image(accepted.bytes).metadata()).format).toBe("webp");
  });

  test("an animated WebP is stored as its first frame", async () => {
    const accepted = await acceptImage(await createAnimatedWebp(64, 36, 3));
    expect(accepted).toMatchObject({
      mimetype: "image/webp",
      width: 64,
      height: 36,
      isAnimated: false,
    });
    const alone = await acceptImage(await createPicture("webp", 64, 36));
    expect(accepted.placeholder).toBe(alone.placeholder);
  });

  test("a transparent animated WebP with a color profile is stored as its first frame", async () => {
    const frames = await createTransparentAnimation(64, 36);
    const accepted = await acceptImage(frames);
    expect([accepted.width, accepted.height, accepted.isAnimated]).toEqual([64, 36, false]);
    expect(accepted.tone).not.toBe("");
  });

  test("every picture has a small blurred placeholder", async () => {
    for (const bytes of [await readPicture(PHOTOGRAPH), createGif(40, 30, [5, 9])]) {
      const { placeholder } = await acceptImage(bytes);
      expect(placeholder).toStartWith("data:image/webp;base64,");
      expect(placeholder.length).toBeLessThan(3000);
    }
  });
});

describe("an unsuitable file is refused", () => {
  test.each([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["a bitmap", "BM\x46\0\0\0\0\0\0\0\x36\0\0\0"],
    ["a RIFF that is a sound", "RIFF\x24\0\0\0WAVEfmt "],
    ["a text that begins like a GIF", "GIF88a and so on"],
  ])("%s: only JPEG, PNG, WebP, and GIF files are allowed", async (_name, content) => {
    expect(await catchRefusal(acceptImage(concatBytes(content)))).toEqual({
      code: "wrong_type",
      status: 415,
      message: "Only JPEG, PNG, WebP, and GIF files are allowed",
    });
  });

  test("zero bytes are refused as damaged", async () => {
    expect((await catchRefusal(acceptImage(new Uint8Array()))).message).toContain("damaged");
  });

  test("a picture of one byte more than 5 MB is refused with the specification's message", async () => {
    const padded = new Uint8Array(MAX_UPLOAD_BYTES + 1);
    padded.set(await createPicture("jpeg", 60, 40));
    expect(await catchRefusal(acceptImage(padded))).toEqual({
      code: "too_large",
      status: 413,
      message: "File size must be less than 5MB",
    });
    expect((await acceptImage(padded.subarray(0, MAX_UPLOAD_BYTES))).width).toBe(60);
  });
});

describe("a file with 400,000 empty blocks is refused as damaged", () => {
  const insertBlocks = (whole: Uint8Array, at: number, block: Uint8Array, count: number) =>
    concatBytes(
      whole.subarray(0, at),
      Buffer.concat(Array.from({ length: count }, () => block)),
      whole.subarray(at),
    );
  const BLOATED: Record<string, (count: number) => Promise<Uint8Array<ArrayBuffer>>> = {
    JPEG: async (count) =>
      insertBlocks(await createPicture("jpeg", 60, 40), 2, concatBytes("\xff\xfe\0\x02"), count),
    PNG: async (count) => {
      const text = createPng([{ type: "tEXt", data: new Uint8Array() }]).subarray(8);
      return insertBlocks(await createPicture("png", 60, 40), 33, text, count);
    },
    GIF: async (count) => {
      const whole = createGif(60, 40, [1]);
      return insertBlocks(whole, whole.length - 1, concatBytes("!\xfe\0"), count);
    },
    WebP: async (count) => {
      const whole = await createPicture("webp", 60, 40);
      const file = insertBlocks(
        whole,
        whole.length,
        createWebpChunk("XXXX", new Uint8Array()),
        count,
      );
      new DataView(file.buffer).setUint32(4, file.length - 8, true);
      return file;
    },
  };

  test.each(Object.keys(BLOATED))("%s", async (format) => {
    expect((await acceptImage(await BLOATED[format]!(1000))).width).toBe(60);
    const { message } = await catchRefusal(acceptImage(await BLOATED[format]!(400_000)));
    expect(message).toContain("damaged or incomplete");
  });
});

describe("a JPEG is reduced if it has more than 25 megapixels", () => {
  const createSized = async (width: number, height: number) => {
    const large = new Bun.Image(await readPicture(PHOTOGRAPH)).resize(width, height);
    return new Uint8Array(await large.jpeg({ quality: 80 }).bytes());
  };

  test.each([
    ["just more", 5001, 5000, 4376, 4375],
    ["no more than that", 5000, 5000, 5000, 5000],
  ])("%s: %d x %d becomes %d x %d", async (_, width, height, storedWidth, storedHeight) => {
    const accepted = await acceptImage(await createSized(width, height));
    expect([accepted.width, accepted.height]).toEqual([storedWidth, storedHeight]);
    const { format, ...size } = await new Bun.Image(accepted.bytes).metadata();
    expect([format, size]).toEqual(["jpeg", { width: storedWidth, height: storedHeight }]);
  });

  test.each([
    [6, 8000, 6000, 3000, 4000],
    [6, 4082, 3062, 3062, 4082],
  ])(
    "and stored upright, with EXIF orientation %d and %d x %d pixels",
    async (orientation, across, down, storedWidth, storedHeight) => {
      const large = addJpegMetadata(await createSized(across, down), orientation);
      const { width, height, bytes } = await acceptImage(large);
      expect([width, height]).toEqual([storedWidth, storedHeight]);
      // The same picture, reduced and turned by the decoder itself.
      const thumbnails = [new Bun.Image(bytes), new Bun.Image(large)].map((image) =>
        image.resize(16, 16).png().bytes(),
      );
      const [actual, witness] = (await Promise.all(thumbnails)).map((png) => decode(png).data);
      const off = actual!.map((value, at) => Math.abs(value - witness![at]!));
      expect(Math.max(...off)).toBeLessThan(24);
    },
  );
});

describe("a large animation", () => {
  const WORDS =
    "This animation is too large: at most 2,000 frames, and 500 megapixels in total. Make it smaller or shorter and try again.";
  /** Few bytes: each frame has one pixel, but the whole screen is drawn for it. */
  const createAnimationBomb = (width: number, height: number, frames: number) => {
    const gif = createGif(1, 1, Array<number>(frames).fill(5));
    new DataView(gif.buffer).setUint16(6, width, true);
    new DataView(gif.buffer).setUint16(8, height, true);
    return gif;
  };

  test.each([
    [2000, 1000, 251],
    [10, 10, 2001],
    [7000, 7000, 11],
  ])("of %i x %i pixels in %i frames is refused with a message", async (width, height, frames) => {
    const gif = createAnimationBomb(width, height, frames);
    expect(gif.length).toBeLessThan(100_000);
    expect(await catchRefusal(acceptImage(gif))).toEqual({
      code: "invalid",
      status: 422,
      message: WORDS,
    });
  });

  test("at the limit is accepted, like a large still picture", async () => {
    expect((await acceptImage(createAnimationBomb(1000, 1000, 500))).isAnimated).toBe(true);
    expect((await acceptImage(createAnimationBomb(7000, 7000, 1))).isAnimated).toBe(false);
  });
});
