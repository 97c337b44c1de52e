/** Flaws that decoders only warn about don't refuse a picture (specification, section 5.6). */
import { describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { join } from "node:path";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { readExifOrientation } from "../../../src/server/uploads/imageStructure.ts";
import { gifOf } from "../../support/gif.ts";
import { bytesOf, PHOTOGRAPH, picture, pictureAs } from "../../support/pictures.ts";
import { pngChunks, pngOf } from "../../support/png.ts";
import { webpChunk, webpFile } from "../../support/webp.ts";

const FLAWED_SIZE = { width: 160, height: 120 };

let made: Promise<Uint8Array> | undefined;
const shrunk = () => (made ??= shrink());

async function shrink(): Promise<Uint8Array> {
  const { width, height } = FLAWED_SIZE;
  return new Bun.Image(await picture(PHOTOGRAPH)).resize(width, height).png().bytes();
}
const flawlessJpeg = async (progressive = false) =>
  new Uint8Array(await new Bun.Image(await shrunk()).jpeg({ quality: 85, progressive }).bytes());
const flawlessPng = async () => new Uint8Array(await shrunk());

type Bytes = Uint8Array<ArrayBuffer>;

/** The position of a JPEG's marker, the last one with `isLast`. */
const markerIn = (jpeg: Bytes, code: number, isLast = false) =>
  Buffer.from(jpeg)[isLast ? "lastIndexOf" : "indexOf"](Buffer.from([0xff, code]));

const segment = (code: number, data: string) =>
  bytesOf(0xff, code, (data.length + 2) >> 8, (data.length + 2) & 255, data);

const TRAILER = `${"\0".repeat(300)}SEFHk\0\0\0\x01\0\0\0SEFT`;

const jpegs: Readonly<Record<string, (jpeg: Bytes) => Bytes>> = {
  "without an end marker": (jpeg) => jpeg.subarray(0, -2),
  "with half an end marker": (jpeg) => jpeg.subarray(0, -1),
  "with a maker's trailer instead of an end marker": (jpeg) =>
    bytesOf(jpeg.subarray(0, -2), TRAILER),
  "with a trailer that has markers of its own": (jpeg) =>
    bytesOf(jpeg.subarray(0, -2), TRAILER, "\xff\xe5\xff\xff\xff\xd8\xff\xe0\0\x04ab"),
  "with another picture instead of an end marker": (jpeg) => bytesOf(jpeg.subarray(0, -2), jpeg),
  "with other things after its end": (jpeg) => bytesOf(jpeg, "\0\0\xff<script>\xff\xc0"),
  "with stray bytes before a marker": (jpeg) =>
    bytesOf(jpeg.subarray(0, 20), "\0\x01stray", jpeg.subarray(20)),
  "with fill bytes before every segment": (jpeg) =>
    bytesOf(jpeg.subarray(0, 2), "\xff\xff\xff", jpeg.subarray(2)),
  "with stray bytes before its end marker": (jpeg) =>
    bytesOf(jpeg.subarray(0, -2), "\x12\x34\xff\0\x56", "\xff\xd9"),
  "with an empty segment of no length": (jpeg) =>
    bytesOf(jpeg.subarray(0, 2), "\xff\xed\0\0", jpeg.subarray(2)),
  "with Adobe's segment beside JFIF's": (jpeg) =>
    bytesOf(jpeg.subarray(0, 20), segment(0xee, "Adobe\0d\0\0\0\0\x01"), jpeg.subarray(20)),
  "with Adobe's segment that contradicts JFIF's": (jpeg) =>
    bytesOf(jpeg.subarray(0, 20), segment(0xee, "Adobe\0d\0\0\0\0\0"), jpeg.subarray(20)),
  "with an unfinished comment segment in its trailer": (jpeg) => bytesOf(jpeg, "\xff\xfe\xff\xff"),
  "with a lone restart marker before its scan": (jpeg) => {
    const at = markerIn(jpeg, 0xdb);
    return bytesOf(jpeg.subarray(0, at), "\xff\xd0", jpeg.subarray(at));
  },
};

/** Repeats the last scan. */
function withScans(jpeg: Bytes, count: number): Bytes {
  const at = markerIn(jpeg, 0xda, true);
  const scans = Array.from({ length: count }, () => jpeg.subarray(at, -2));
  return bytesOf(jpeg.subarray(0, -2), ...scans, "\xff\xd9");
}

/** Gives each chunk that `isWrong` names a wrong checksum. */
function withWrongSums(png: Bytes, isWrong: (type: string) => boolean): Bytes {
  const copy = png.slice();
  let offset = 8;
  for (const { type, data } of pngChunks(png)) {
    offset += 12 + data.length;
    if (isWrong(type)) copy[offset - 1]! ^= 0xff;
  }
  return copy;
}

const withChunk = (png: Bytes, type: string, data: string) => {
  const [header, ...rest] = pngChunks(png);
  return pngOf([header!, { type, data: bytesOf(data) }, ...rest]);
};

const pngs: Readonly<Record<string, (png: Bytes) => Bytes>> = {
  "without IEND": (png) => png.subarray(0, -12),
  "with half of IEND": (png) => png.subarray(0, -5),
  "with a wrong checksum of IEND": (png) => withWrongSums(png, (type) => type === "IEND"),
  "with other things after IEND": (png) => bytesOf(png, "trailing\xff\xff"),
  "with other things instead of IEND": (png) =>
    bytesOf(png.subarray(0, -12), "\xff\xff\xff\xffjunk"),
  "with a wrong checksum of a text": (png) =>
    withWrongSums(withChunk(png, "tEXt", "Title\0a"), (type) => type === "tEXt"),
  "with a wrong checksum of a gamma": (png) =>
    withWrongSums(withChunk(png, "gAMA", "\0\0\x20\0"), (type) => type === "gAMA"),
  "with a wrong checksum of its time": (png) =>
    withWrongSums(withChunk(png, "tIME", "\x07\xe9\x01\x01\0\0\0"), (type) => type === "tIME"),
};

/** Each flaw by its name. */
const FLAWED: Readonly<Record<string, () => Promise<Bytes>>> = Object.fromEntries([
  ...Object.entries(jpegs).flatMap(([flaw, make]) => [
    [`a JPEG ${flaw}`, async () => make(await flawlessJpeg())],
    [`a progressive JPEG ${flaw}`, async () => make(await flawlessJpeg(true))],
  ]),
  ...[54, 64, 90].map((count) => [
    `a JPEG of ${count + 10} scans`,
    async () => withScans(await flawlessJpeg(true), count),
  ]),
  ...Object.entries(pngs).map(([flaw, make]) => [
    `a PNG ${flaw}`,
    async () => make(await flawlessPng()),
  ]),
]);

const SENT = join(import.meta.dir, "../../fixtures/sent");
const sent = (name: string) => Bun.file(join(SENT, name)).bytes();

const pixelsOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  decode(await new Bun.Image(bytes).png().bytes());

describe("is accepted, and looks the same as without the flaw:", () => {
  test.each(Object.keys(FLAWED))("%s", async (flaw) => {
    const accepted = await acceptImage(await FLAWED[flaw]!());
    expect(accepted).toMatchObject(FLAWED_SIZE);
    const isPng = accepted.mimetype === "image/png";
    const whole = isPng ? flawlessPng() : flawlessJpeg(flaw.includes("progressive"));
    const [actual, expected] = [await pixelsOf(accepted.bytes), await pixelsOf(await whole)];
    const difference = Array.from(expected.data).reduce(
      (sum, value, at) => sum + Math.abs(value - (actual.data[at] ?? 0)),
      0,
    );
    expect(difference / expected.data.length).toBeLessThan(4);
  });
});

/** Complete pictures of the other two types, whose decoders stop at their end. */
const COMPLETE: Readonly<Record<string, () => Promise<Bytes>>> = {
  "a WebP with other things behind": async () => bytesOf(await webp(), "trailing\xff"),
  "a WebP with a chunk of no known kind": async () => {
    const whole = await webp();
    return webpFile(whole.subarray(12), webpChunk("ABCD", bytesOf("junk")));
  },
  "a GIF without its end": async () => gifOf(40, 30, [5]).slice(0, -1),
  "a GIF with other things behind": async () => bytesOf(gifOf(40, 30, [5]), "junk\0\xff"),
  "an animated GIF without its end": async () => gifOf(40, 30, [5, 9]).slice(0, -1),
  "a GIF with zeros between its blocks": async () =>
    bytesOf(gifOf(40, 30, [5]).subarray(0, -1), "\0\0\0;"),
  "a GIF of version 87": async () => bytesOf("GIF87a", gifOf(40, 30, [5]).subarray(6)),
};
const webp = () => pictureAs("webp", 160, 120);

test.each(Object.keys(COMPLETE))("%s is accepted", async (name) => {
  expect((await acceptImage(await COMPLETE[name]!())).width).toBeGreaterThan(0);
});

test("a phone's panorama with the maker's data at its end, which is removed", async () => {
  const accepted = await acceptImage(await sent("makers-trailer.jpg"));
  expect(accepted).toMatchObject({ width: 640, height: 480, mimetype: "image/jpeg" });
  expect(Buffer.from(accepted.bytes).includes("SEFH")).toBe(false);
});

test.each([false, true])(
  "a JPEG truncated within its last scan is refused (progressive: %p)",
  async (is) => {
    const whole = await flawlessJpeg(is);
    for (const cut of [6, 20, 100, 500]) {
      const bytes = whole.slice(0, whole.length - cut);
      await expect(acceptImage(bytes)).rejects.toThrow("damaged or incomplete");
    }
  },
);

test("an EXIF orientation is read as a short and as a long, in either byte order", () => {
  const entry = (type: number, value: string) =>
    bytesOf("MM\0*\0\0\0\x08\0\x01\x01\x12", 0, type, "\0\0\0\x01", value);
  expect(readExifOrientation(entry(3, "\0\x06\0\0"))).toBe(6);
  expect(readExifOrientation(entry(4, "\0\0\0\x06"))).toBe(6);
  const little = bytesOf("II*\0\x08\0\0\0\x01\0\x12\x01\x04\0\x01\0\0\0\x06\0\0\0");
  expect(readExifOrientation(little)).toBe(6);
  expect(readExifOrientation(entry(4, "\x7f\0\0\x06"))).toBe(1);
});

describe("A CMYK picture", () => {
  /** Six patches, with the colors of their profile by LittleCMS with the perceptual intent. */
  const PATCHES = [
    [200, 48, 50],
    [77, 183, 77],
    [70, 77, 160],
    [231, 189, 157],
    [127, 124, 124],
    [24, 24, 24],
  ];

  test("has the colors of its profile, within 12 of 255", async () => {
    const { bytes, mimetype } = await acceptImage(await sent("inks.jpg"));
    expect(mimetype).toBe("image/jpeg");
    const { data, width, height, channels } = await pixelsOf(bytes);
    for (const [index, patch] of PATCHES.entries()) {
      const x = Math.floor((((index % 3) + 0.5) * width) / 3);
      const y = Math.floor(((Math.floor(index / 3) + 0.5) * height) / 2);
      const at = (y * width + x) * channels;
      for (const [channel, value] of patch.entries())
        expect(Math.abs(data[at + channel]! - value)).toBeLessThanOrEqual(12);
    }
  });

  test("with a damaged profile is accepted, with the colors that a browser shows", async () => {
    const broken = await sent("inks.jpg");
    // Overwrites the type of the profile's color table.
    broken.set(bytesOf("XXXX"), Buffer.from(broken).indexOf("mft2"));
    expect((await acceptImage(broken)).width).toBe(640);
  });
});

test.each([
  ["heic-named.jpg", "HEIC"],
  ["avif-named.jpg", "AVIF"],
])("%s is refused with a message that names its type", async (name, format) => {
  await expect(acceptImage(await sent(name))).rejects.toThrow(
    `Only JPEG, PNG, WebP, and GIF files are allowed. Save this ${format} photo as a JPEG and upload that.`,
  );
});
