/** Flaws that decoders only warn about don't refuse a picture (specification, section 5.6). */
import { describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { join } from "node:path";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { readExifOrientation } from "../../../src/server/uploads/imageStructure.ts";
import {
  FLAWED,
  FLAWED_SIZE,
  createFlawlessJpeg,
  createFlawlessPng,
} from "../../support/flawedPictures.ts";
import { concatBytes } from "../../support/pictures.ts";

const SENT_FOLDER = join(import.meta.dir, "../../fixtures/sent");
const readSent = (name: string) => Bun.file(join(SENT_FOLDER, name)).bytes();

const readPixels = async (bytes: Uint8Array<ArrayBuffer>) =>
  decode(await new Bun.Image(bytes).png().bytes());

describe("a picture with a flaw is accepted, and looks the same as without the flaw", () => {
  test.each(Object.keys(FLAWED))("%s", async (flaw) => {
    const accepted = await acceptImage(await FLAWED[flaw]!());
    expect(accepted).toMatchObject(FLAWED_SIZE);
    const isPng = accepted.mimetype === "image/png";
    const whole = isPng ? createFlawlessPng() : createFlawlessJpeg(flaw.includes("progressive"));
    const [actual, expected] = [await readPixels(accepted.bytes), await readPixels(await whole)];
    const difference = Array.from(expected.data).reduce(
      (sum, value, at) => sum + Math.abs(value - (actual.data[at] ?? 0)),
      0,
    );
    expect(difference / expected.data.length).toBeLessThan(4);
  });
});

test("a phone's panorama is accepted, and the manufacturer's data at the file's end is removed", async () => {
  const accepted = await acceptImage(await readSent("makers-trailer.jpg"));
  expect(accepted).toMatchObject({ width: 640, height: 480, mimetype: "image/jpeg" });
  expect(Buffer.from(accepted.bytes).includes("SEFH")).toBe(false);
});

test.each([false, true])(
  "a JPEG truncated within its last scan is refused (progressive: %p)",
  async (is) => {
    const whole = await createFlawlessJpeg(is);
    for (const cut of [6, 20, 100, 500]) {
      const bytes = whole.slice(0, whole.length - cut);
      await expect(acceptImage(bytes)).rejects.toThrow("damaged or incomplete");
    }
  },
);

test("an EXIF orientation is read from a 16-bit or 32-bit field, in either byte order", () => {
  const entry = (type: number, value: string) =>
    concatBytes("MM\0*\0\0\0\x08\0\x01\x01\x12", 0, type, "\0\0\0\x01", value);
  expect(readExifOrientation(entry(3, "\0\x06\0\0"))).toBe(6);
  expect(readExifOrientation(entry(4, "\0\0\0\x06"))).toBe(6);
  const little = concatBytes("II*\0\x08\0\0\0\x01\0\x12\x01\x04\0\x01\0\0\0\x06\0\0\0");
  expect(readExifOrientation(little)).toBe(6);
  expect(readExifOrientation(entry(4, "\x7f\0\0\x06"))).toBe(1);
});

describe("a CMYK picture", () => {
  /** Six patches, with the colors of their profile by LittleCMS with the perceptual intent. */
  const PATCHES = [
    [200, 48, 50],
    [77, 183, 77],
    [70, 77, 160],
    [231, 189, 157],
    [127, 124, 124],
    [24, 24, 24],
  ];

  test("is stored with the colors of its profile, at most 12 of 255 levels off", async () => {
    const { bytes, mimetype } = await acceptImage(await readSent("inks.jpg"));
    expect(mimetype).toBe("image/jpeg");
    const { data, width, height, channels } = await readPixels(bytes);
    for (const [index, patch] of PATCHES.entries()) {
      const x = Math.floor((((index % 3) + 0.5) * width) / 3);
      const y = Math.floor(((Math.floor(index / 3) + 0.5) * height) / 2);
      const at = (y * width + x) * channels;
      for (const [channel, value] of patch.entries())
        expect(Math.abs(data[at + channel]! - value)).toBeLessThanOrEqual(12);
    }
  });

  test("with a damaged color profile is accepted", async () => {
    const broken = await readSent("inks.jpg");
    // Overwrites the type of the profile's color table.
    broken.set(concatBytes("XXXX"), Buffer.from(broken).indexOf("mft2"));
    expect((await acceptImage(broken)).width).toBe(640);
  });
});

test.each([
  ["heic-named.jpg", "HEIC"],
  ["avif-named.jpg", "AVIF"],
])("%s is refused with a message that names its type", async (name, format) => {
  await expect(acceptImage(await readSent(name))).rejects.toThrow(
    `Only JPEG, PNG, WebP, and GIF files are allowed. Save this ${format} photo as a JPEG and upload the JPEG.`,
  );
});
