/**
 * Everything that Chromium decodes is accepted, or refused with a true message (specification, section 5.6).
 * flawedPictures.test.ts and pngSuite.test.ts show the same of pictures that every browser decodes.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { encode } from "fast-png";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { createDamagedImageRefusal } from "../../../src/server/uploads/imageStructure.ts";
import { acceptImage, createVariants } from "../../../src/server/uploads/acceptImage.ts";
import { closePages, closeProfiles, newPage } from "../../support/browser.ts";
import { flawlessJpeg, flawlessPng } from "../../support/flawedPictures.ts";
import { gifOf } from "../../support/gif.ts";
import { bytesOf, pictureAs } from "../../support/pictures.ts";
import { grayPng, pngChunks, pngOf } from "../../support/png.ts";
import { animatedWebp, webpChunk, webpFile } from "../../support/webp.ts";

setDefaultTimeout(120_000);
afterAll(async () => {
  await closePages();
  await closeProfiles();
});

type Bytes = Uint8Array<ArrayBuffer>;
type Corpus = Readonly<Record<string, () => Promise<Bytes>>>;

const at = (bytes: Bytes, ...signature: number[]) =>
  Buffer.from(bytes).indexOf(Buffer.from(signature));
const webp = () => pictureAs("webp", 160, 120);
const sent = (name: string) => join(import.meta.dir, "../../fixtures/sent", name);

function withSize(riff: Bytes, change: number): Bytes {
  const copy = riff.slice();
  const view = new DataView(copy.buffer);
  view.setUint32(4, view.getUint32(4, true) + change, true);
  return copy;
}

/** Complete pictures. */
const WHOLE: Corpus = {
  "a WebP with other things behind": async () => bytesOf(await webp(), "trailing\xff"),
  "a WebP with a size that counts too little": async () => withSize(bytesOf(await webp(), "xx"), 0),
  "a WebP with a chunk of no known kind": async () => {
    const whole = await webp();
    return webpFile(whole.subarray(12), webpChunk("ABCD", bytesOf("junk")));
  },
  "a GIF without its end": async () => gifOf(40, 30, [5]).slice(0, -1),
  "a GIF with other things behind": async () => bytesOf(gifOf(40, 30, [5]), "junk\0\xff"),
  "an animated GIF without its end": async () => gifOf(40, 30, [5, 9]).slice(0, -1),
  "a GIF with zeros between its blocks": async () => {
    const gif = gifOf(40, 30, [5]);
    return bytesOf(gif.subarray(0, -1), "\0\0\0;");
  },
  "a GIF of version 88": async () => bytesOf("GIF87a", gifOf(40, 30, [5]).subarray(6)),
  "an APNG": async () => {
    const [header, ...rest] = pngChunks(await flawlessPng());
    const control = { type: "acTL", data: bytesOf("\0\0\0\x01\0\0\0\0") };
    return pngOf([header!, control, ...rest]);
  },
  "a PNG with a chunk of no known kind": async () => {
    const [header, ...rest] = pngChunks(await flawlessPng());
    return pngOf([header!, { type: "abCd", data: bytesOf("junk") }, ...rest]);
  },
  "a PNG with its time twice": async () => {
    const [header, ...rest] = pngChunks(await flawlessPng());
    const time = { type: "tIME", data: bytesOf("\x07\xe9\x01\x01\0\0\0") };
    return pngOf([header!, time, time, ...rest]);
  },
  "a PNG with a gamma of zero": async () => {
    const [header, ...rest] = pngChunks(await flawlessPng());
    return pngOf([header!, { type: "gAMA", data: bytesOf("\0\0\0\0") }, ...rest]);
  },
  "a PNG with a broken profile": async () => {
    const [header, ...rest] = pngChunks(await flawlessPng());
    return pngOf([header!, { type: "iCCP", data: bytesOf("x\0\0nonsense") }, ...rest]);
  },
  "a JPEG with a broken profile": async () => {
    const jpeg = await flawlessJpeg();
    const profile = "ICC_PROFILE\0\x01\x01nonsense";
    return bytesOf(
      jpeg.subarray(0, 20),
      "\xff\xe2\0",
      profile.length + 2,
      profile,
      jpeg.subarray(20),
    );
  },
  "a JPEG with a broken EXIF block": async () => {
    const jpeg = await flawlessJpeg();
    return bytesOf(jpeg.subarray(0, 2), "\xff\xe1\0\x0eExif\0\0MM\0*\xff\xff", jpeg.subarray(2));
  },
  "a JPEG of four inks": () => Bun.file(sent("inks.jpg")).bytes(),
  "a panorama": () => Bun.file(sent("makers-trailer.jpg")).bytes(),
  "an animated WebP": () => animatedWebp(64, 36, 3),
};

/** Pictures with missing or wrong pixels. */
const PARTIAL: Corpus = {
  ...Object.fromEntries(
    [0.3, 0.6, 0.9].flatMap((share) => [
      [`a JPEG cut at ${share}`, async () => cut(await flawlessJpeg(), share)],
      [`a progressive JPEG cut at ${share}`, async () => cut(await flawlessJpeg(true), share)],
      [`a PNG cut at ${share}`, async () => cut(await flawlessPng(), share)],
      [`a WebP cut at ${share}`, async () => cut(await webp(), share)],
      [`a GIF cut at ${share}`, async () => cut(gifOf(40, 30, [5]), share)],
    ]),
  ),
  "a PNG with a wrong checksum of its pixels": async () => {
    const png = await flawlessPng();
    png[at(png, 0x49, 0x44, 0x41, 0x54) + 60]! ^= 0xff;
    return png;
  },
  "a JPEG with a wrong byte among its pixels": async () => {
    const jpeg = await flawlessJpeg();
    jpeg[jpeg.length >> 1]! ^= 0x55;
    return jpeg;
  },
  "a JPEG without tables": async () => {
    const jpeg = await flawlessJpeg();
    return bytesOf(jpeg.subarray(0, 20), jpeg.subarray(at(jpeg, 0xff, 0xc0)));
  },
  "a WebP with a size that counts too much": async () => withSize(await webp(), 200),
  "a PNG without pixels": async () =>
    pngOf(pngChunks(await flawlessPng()).filter(({ type }) => type !== "IDAT")),
};

const cut = (bytes: Bytes, share: number) => bytes.slice(0, Math.floor(bytes.length * share));

/** Whether Chromium decodes it like an `<img>`. */
const isDecoded = (page: Page, bytes: Bytes) =>
  page.evaluate(async (base64) => {
    const content = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    return createImageBitmap(new Blob([content])).then(
      () => true,
      () => false,
    );
  }, Buffer.from(bytes).toString("base64"));

/** "taken", or the refusal. */
const verdictOn = (bytes: Bytes): Promise<string> =>
  acceptImage(bytes).then(
    () => "taken",
    (error: Error) => error.message,
  );

interface Verdict {
  readonly name: string;
  readonly decoded: boolean;
  readonly verdict: string;
}

async function verdicts(corpus: Corpus): Promise<Verdict[]> {
  const page = await newPage();
  const results: Verdict[] = [];
  for (const [name, make] of Object.entries(corpus)) {
    const bytes = await make(); // oxlint-disable-line no-await-in-loop
    const decoded = await isDecoded(page, bytes); // oxlint-disable-line no-await-in-loop
    results.push({ name, decoded, verdict: await verdictOn(bytes) }); // oxlint-disable-line no-await-in-loop
  }
  return results;
}

test("a complete picture that Chromium decodes is accepted, whatever its flaws", async () => {
  const results = await verdicts(WHOLE);
  expect(results.filter(({ decoded, verdict }) => decoded && verdict !== "taken")).toEqual([]);
  // Chromium decodes fewer pictures from a blob than in a page, since it waits for their end.
  expect(results.filter(({ decoded }) => decoded).length).toBeGreaterThan(10);
});

/** Six patches, whose colors a PNG declares by these chunks. */
const patches = (...declared: { type: string; data: Uint8Array }[]): Bytes => {
  const colors = [200, 60, 60, 60, 200, 60, 60, 60, 200, 230, 190, 160, 128, 128, 128, 40, 30, 20];
  const data = Uint8Array.from({ length: 48 * 32 * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const patch = Math.floor((pixel % 48) / 16) + 3 * Math.floor(pixel / (48 * 16));
    return colors[3 * patch + (at % 3)]!;
  });
  const png = encode({ width: 48, height: 32, channels: 3, depth: 8, data });
  const [header, ...rest] = pngChunks(png);
  return pngOf([header!, ...declared, ...rest]);
};

const numbers = (...values: number[]) => {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value);
  return new Uint8Array(view.buffer);
};
const gamma = (value: number) => ({ type: "gAMA", data: numbers(value) });
const coded = (...codes: number[]) => ({ type: "cICP", data: Uint8Array.from(codes) });
const SRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];
const DISPLAY_P3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000];
const primaries = (values: readonly number[]) => ({ type: "cHRM", data: numbers(...values) });

/** A gray profile with this gamma, in hundredths (ICC.1:2022, 8.3.4 and 10.6). */
function grayProfile(hundredths: number): Uint8Array {
  const curve = bytesOf("curv\0\0\0\0", numbers(1), 0, 0, 0, 0);
  curve.set([Math.floor((hundredths * 2.56) / 256), Math.round(hundredths * 2.56) % 256], 12);
  const white = bytesOf("XYZ \0\0\0\0", numbers(63_190, 65_536, 54_061));
  const table = bytesOf(numbers(2), "wtpt", numbers(156, 20), "kTRC", numbers(176, 16));
  const profile = bytesOf(new Uint8Array(128), table, white, curve);
  profile.set(numbers(profile.length));
  profile.set(bytesOf("\x02\x40\0\0mntrGRAYXYZ "), 8);
  profile.set(bytesOf("acsp"), 36);
  profile.set(numbers(63_190, 65_536, 54_061), 68);
  return profile;
}

/** A gray picture with the profile, in a format. */
async function grayWith(profile: Uint8Array, format: "jpeg" | "png"): Promise<Bytes> {
  const gray = grayPng(48, 32, (x) => 5 * x);
  const [header, ...rest] = pngChunks(gray);
  if (format === "png") {
    const data = bytesOf("x\0\0", deflateSync(profile));
    return pngOf([header!, { type: "iCCP", data }, ...rest]);
  }
  const jpeg = await Bun.file(sent("gray.jpg")).bytes();
  const length = profile.length + 16;
  const start = bytesOf("\xff\xd8\xff\xe2", length >> 8, length & 255, "ICC_PROFILE\0\x01\x01");
  return bytesOf(start, profile, jpeg.subarray(2));
}

/** Pictures as other programs write them, which look the same in browsers afterwards. */
const SAME: Corpus = {
  "a PNG with the gamma of linear light": async () => patches(gamma(100_000)),
  "a PNG with an old Mac's gamma": async () => patches(gamma(55_556)),
  "a PNG with sRGB's gamma": async () => patches(gamma(45_455)),
  "a PNG with gamma and chromaticities, as ImageMagick's": async () =>
    patches(gamma(45_455), primaries(SRGB)),
  "a PNG with Display P3's chromaticities": async () =>
    patches(gamma(45_455), primaries(DISPLAY_P3)),
  "a PNG with chromaticities that are no colors": async () =>
    patches(gamma(45_455), primaries(SRGB.map(() => 0))),
  "a PNG with sRGB's chunk and another gamma": async () =>
    patches({ type: "sRGB", data: Uint8Array.of(0) }, gamma(100_000)),
  "a PNG with Display P3 as a code": async () => patches(coded(12, 13, 0, 1)),
  "a PNG with BT.2020's primaries as a code": async () => patches(coded(9, 13, 0, 1)),
  "a PNG with sRGB as a code and another gamma": async () =>
    patches(coded(1, 13, 0, 1), gamma(100_000)),
  "a gray PNG with a gray profile": () => grayWith(grayProfile(140), "png"),
  "a gray JPEG with a gray profile": () => grayWith(grayProfile(140), "jpeg"),
};

/** The colors in the middle of the six patches of each picture, as the page shows them. */
const shownColors = (page: Page, pictures: readonly Bytes[]) =>
  page.evaluate(
    (addresses) =>
      Promise.all(
        addresses.map(async (address) => {
          const image = Object.assign(new Image(), { src: address });
          await image.decode();
          const context = new OffscreenCanvas(48, 32).getContext("2d")!;
          context.drawImage(image, 0, 0, 48, 32);
          const colorAt = (patch: number) =>
            context.getImageData(8 + 16 * (patch % 3), patch < 3 ? 8 : 24, 1, 1).data;
          return [0, 1, 2, 3, 4, 5].flatMap((patch) => [...colorAt(patch)]);
        }),
      ),
    pictures.map((each) => `data:;base64,${Buffer.from(each).toString("base64")}`),
  );

test.each(Object.entries(SAME))(
  "%s looks the same when it is stored, in every size",
  async (_, make) => {
    const bytes = await make();
    const accepted = await acceptImage(bytes);
    const variants = await createVariants(accepted);
    const page = await newPage();
    const [original, ...stored] = await shownColors(page, [
      bytes,
      accepted.bytes,
      ...variants.map((each) => each.bytes),
    ]);
    // Lossy WebP changes colors by a few levels.
    for (const colors of stored)
      expect(Math.max(...colors.map((value, at) => Math.abs(value - original![at]!)))).toBeLessThan(
        8,
      );
    expect(stored).toHaveLength(2);
  },
);

test("a JPEG with arithmetic codes, which browsers can't show, is stored as one that they can", async () => {
  const { bytes, width } = await acceptImage(await Bun.file(sent("arithmetic.jpg")).bytes());
  const [colors] = await shownColors(await newPage(), [bytes]);
  expect([width, colors!.slice(0, 3).map((value) => Math.round(value / 20))]).toEqual([
    48,
    [10, 3, 3],
  ]);
});

test("a picture that lacks pixels is refused, or looks as in Chromium", async () => {
  const results = await verdicts(PARTIAL);
  const allowed = ["taken", createDamagedImageRefusal().message];
  expect(results.filter(({ verdict }) => !allowed.includes(verdict))).toEqual([]);
  // Every accepted picture can be shown.
  expect(results.filter(({ decoded, verdict }) => verdict === "taken" && !decoded)).toEqual([]);
});
