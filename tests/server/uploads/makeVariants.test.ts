import { describe, expect, test } from "bun:test";
import { acceptImage, createVariants } from "../../../src/server/uploads/acceptImage.ts";
import { addJpegMetadata } from "../../support/exif.ts";
import { createGif } from "../../support/gif.ts";
import { FULL_HOUSE, readPicture, createPicture } from "../../support/pictures.ts";
import { createEmptyPng } from "../../support/png.ts";
import { createAnimatedWebp } from "../../support/webp.ts";

async function readSizes(bytes: Uint8Array): Promise<[number, number][]> {
  const variants = await createVariants(await acceptImage(bytes));
  return variants.map(({ width, height }) => [width, height]);
}

describe("a picture's WebP variants", () => {
  test("have the widths below the picture's, and its own width below 1920", async () => {
    const variants = await createVariants(await acceptImage(await readPicture(FULL_HOUSE)));
    const sizes = variants.map(({ width, height }) => [width, height]);
    expect(sizes).toEqual([
      [320, 180],
      [640, 360],
      [1280, 720],
      [1600, 900],
    ]);
    for (const { width, height, bytes } of variants)
      expect(await new Bun.Image(bytes).metadata()).toEqual({ width, height, format: "webp" });
  });

  test.each([
    ["covers", [400, 300], 2],
    ["is smaller than", [500, 400], 0],
    ["is larger than", [350, 200], 0],
  ] as const)("a GIF whose frame %s its screen (%j) has %i variants", async (_, screen, count) => {
    const gif = createGif(400, 300, [5]);
    new DataView(gif.buffer).setUint16(6, screen[0], true);
    new DataView(gif.buffer).setUint16(8, screen[1], true);
    expect(await readSizes(gif)).toHaveLength(count);
  });

  test("a picture wider than 1920 has no variant wider than 1920", async () => {
    const sizes = await readSizes(await createPicture("jpeg", 2400, 1200));
    expect(sizes.map(([width]) => width)).toEqual([320, 640, 1280, 1920]);
  });

  test("a picture as wide as one of the variants has that variant once", async () => {
    const sizes = await readSizes(await createPicture("jpeg", 640, 320));
    expect(sizes.map(([width]) => width)).toEqual([320, 640]);
    const widest = await readSizes(await createPicture("jpeg", 1920, 100));
    expect(widest.map(([width]) => width)).toEqual([320, 640, 1280]);
  });

  test("a picture stored sideways has upright variants", async () => {
    const sideways = addJpegMetadata(await createPicture("jpeg", 400, 300), 6);
    expect((await readSizes(sideways))[0]).toEqual([300, 400]);
  });

  test("a still GIF has variants, an animated WebP has still ones, and an animated GIF has none", async () => {
    expect(await readSizes(createGif(400, 30, [5]))).toEqual([
      [320, 24],
      [400, 30],
    ]);
    expect(await readSizes(createGif(400, 30, [5, 9]))).toEqual([]);
    expect(await readSizes(await createAnimatedWebp(400, 36, 2))).toEqual([
      [320, 29],
      [400, 36],
    ]);
  });

  test("a picture one pixel high has variants one pixel high", async () => {
    expect((await readSizes(createEmptyPng(12_000, 1)))[0]).toEqual([320, 1]);
    expect(await readSizes(createEmptyPng(9, 500))).toEqual([]);
  });
});
