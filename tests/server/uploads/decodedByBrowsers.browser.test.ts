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
import { createFlawlessJpeg, createFlawlessPng } from "../../support/flawedPictures.ts";
import { createGif } from "../../support/gif.ts";
import { concatBytes, createPicture } from "../../support/pictures.ts";
import { createGrayPng, readPngChunks, createPng } from "../../support/png.ts";
import { createAnimatedWebp, createWebpChunk, createWebp } from "../../support/webp.ts";

setDefaultTimeout(120_000);
afterAll(async () => {
  await closePages();
  await closeProfiles();
});

type Bytes = Uint8Array<ArrayBuffer>;
type Corpus = Readonly<Record<string, () => Promise<Bytes>>>;

const findSignature = (bytes: Bytes, ...signature: number[]) =>
  Buffer.from(bytes).indexOf(Buffer.from(signature));
const createSmallWebp = () => createPicture("webp", 160, 120);
const getSentPath = (name: string) => join(import.meta.dir, "../../fixtures/sent", name);

function changeSize(riff: Bytes, change: number): Bytes {
  const copy = riff.slice();
  const view = new DataView(copy.buffer);
  view.setUint32(4, view.getUint32(4, true) + change, true);
  return copy;
}

/** Complete pictures. */
const COMPLETE_PICTURES: Corpus = {
  "a WebP with other things behind": async () =>
    concatBytes(await createSmallWebp(), "trailing\xff"),
  "a WebP with a size that counts too little": async () =>
    changeSize(concatBytes(await createSmallWebp(), "xx"), 0),
  "a WebP with a chunk of no known kind": async () => {
    const whole = await createSmallWebp();
    return createWebp(whole.subarray(12), createWebpChunk("ABCD", concatBytes("junk")));
  },
  "a GIF without its end": async () => createGif(40, 30, [5]).slice(0, -1),
  "a GIF with other things behind": async () => concatBytes(createGif(40, 30, [5]), "junk\0\xff"),
  "an animated GIF without its end": async () => createGif(40, 30, [5, 9]).slice(0, -1),
  "a GIF with zeros between its blocks": async () => {
    const gif = createGif(40, 30, [5]);
    return concatBytes(gif.subarray(0, -1), "\0\0\0;");
  },
  "a GIF of version 88": async () => concatBytes("GIF87a", createGif(40, 30, [5]).subarray(6)),
  "an APNG": async () => {
    const [header, ...rest] = readPngChunks(await createFlawlessPng());
    const control = { type: "acTL", data: concatBytes("\0\0\0\x01\0\0\0\0") };
    return createPng([header!, control, ...rest]);
  },
  "a PNG with a chunk of no known kind": async () => {
    const [header, ...rest] = readPngChunks(await createFlawlessPng());
    return createPng([header!, { type: "abCd", data: concatBytes("junk") }, ...rest]);
  },
  "a PNG with its time twice": async () => {
    const [header, ...rest] = readPngChunks(await createFlawlessPng());
    const time = { type: "tIME", data: concatBytes("\x07\xe9\x01\x01\0\0\0") };
    return createPng([header!, time, time, ...rest]);
  },
  "a PNG with a gamma of zero": async () => {
    const [header, ...rest] = readPngChunks(await createFlawlessPng());
    return createPng([header!, { type: "gAMA", data: concatBytes("\0\0\0\0") }, ...rest]);
  },
  "a PNG with a broken profile": async () => {
    const [header, ...rest] = readPngChunks(await createFlawlessPng());
    return createPng([header!, { type: "iCCP", data: concatBytes("x\0\0nonsense") }, ...rest]);
  },
  "a JPEG with a broken profile": async () => {
    const jpeg = await createFlawlessJpeg();
    const profile = "ICC_PROFILE\0\x01\x01nonsense";
    return concatBytes(
      jpeg.subarray(0, 20),
      "\xff\xe2\0",
      profile.length + 2,
      profile,
      jpeg.subarray(20),
    );
  },
  "a JPEG with a broken EXIF block": async () => {
    const jpeg = await createFlawlessJpeg();
    return concatBytes(
      jpeg.subarray(0, 2),
      "\xff\xe1\0\x0eExif\0\0MM\0*\xff\xff",
      jpeg.subarray(2),
    );
  },
  "a JPEG of four inks": () => Bun.file(getSentPath("inks.jpg")).bytes(),
  "a panorama": () => Bun.file(getSentPath("makers-trailer.jpg")).bytes(),
  "an animated WebP": () => createAnimatedWebp(64, 36, 3),
};

/** Pictures with missing or wrong pixels. */
const PARTIAL_PICTURES: Corpus = {
  ...Object.fromEntries(
    [0.3, 0.6, 0.9].flatMap((share) => [
      [`a JPEG cut at ${share}`, async () => truncate(await createFlawlessJpeg(), share)],
      [
        `a progressive JPEG cut at ${share}`,
        async () => truncate(await createFlawlessJpeg(true), share),
      ],
      [`a PNG cut at ${share}`, async () => truncate(await createFlawlessPng(), share)],
      [`a WebP cut at ${share}`, async () => truncate(await createSmallWebp(), share)],
      [`a GIF cut at ${share}`, async () => truncate(createGif(40, 30, [5]), share)],
    ]),
  ),
  "a PNG with a wrong checksum of its pixels": async () => {
    const png = await createFlawlessPng();
    png[findSignature(png, 0x49, 0x44, 0x41, 0x54) + 60]! ^= 0xff;
    return png;
  },
  "a JPEG with a wrong byte among its pixels": async () => {
    const jpeg = await createFlawlessJpeg();
    jpeg[jpeg.length >> 1]! ^= 0x55;
    return jpeg;
  },
  "a JPEG without tables": async () => {
    const jpeg = await createFlawlessJpeg();
    return concatBytes(jpeg.subarray(0, 20), jpeg.subarray(findSignature(jpeg, 0xff, 0xc0)));
  },
  "a WebP with a size that counts too much": async () => changeSize(await createSmallWebp(), 200),
  "a PNG without pixels": async () =>
    createPng(readPngChunks(await createFlawlessPng()).filter(({ type }) => type !== "IDAT")),
};

const truncate = (bytes: Bytes, share: number) => bytes.slice(0, Math.floor(bytes.length * share));

/** Whether Chromium decodes the bytes like an `<img>`. */
const isDecoded = (page: Page, bytes: Bytes) =>
  page.evaluate(async (base64) => {
    const content = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    return createImageBitmap(new Blob([content])).then(
      () => true,
      () => false,
    );
  }, Buffer.from(bytes).toString("base64"));

/** "taken", or the refusal. */
const findVerdict = (bytes: Bytes): Promise<string> =>
  acceptImage(bytes).then(
    () => "taken",
    (error: Error) => error.message,
  );

interface Verdict {
  readonly name: string;
  readonly decoded: boolean;
  readonly verdict: string;
}

async function collectVerdicts(corpus: Corpus): Promise<Verdict[]> {
  const page = await newPage();
  const results: Verdict[] = [];
  for (const [name, make] of Object.entries(corpus)) {
    const bytes = await make(); // oxlint-disable-line no-await-in-loop
    const decoded = await isDecoded(page, bytes); // oxlint-disable-line no-await-in-loop
    results.push({ name, decoded, verdict: await findVerdict(bytes) }); // oxlint-disable-line no-await-in-loop
  }
  return results;
}

test("a complete picture that Chromium decodes is accepted, whatever its flaws", async () => {
  const results = await collectVerdicts(COMPLETE_PICTURES);
  expect(results.filter(({ decoded, verdict }) => decoded && verdict !== "taken")).toEqual([]);
  // Chromium decodes fewer pictures from a blob than in a page, since it waits for their end.
  expect(results.filter(({ decoded }) => decoded).length).toBeGreaterThan(10);
});

/** Six patches, whose colors a PNG declares by these chunks. */
const createPatches = (...declared: { type: string; data: Uint8Array }[]): Bytes => {
  const colors = [200, 60, 60, 60, 200, 60, 60, 60, 200, 230, 190, 160, 128, 128, 128, 40, 30, 20];
  const data = Uint8Array.from({ length: 48 * 32 * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const patch = Math.floor((pixel % 48) / 16) + 3 * Math.floor(pixel / (48 * 16));
    return colors[3 * patch + (at % 3)]!;
  });
  const png = encode({ width: 48, height: 32, channels: 3, depth: 8, data });
  const [header, ...rest] = readPngChunks(png);
  return createPng([header!, ...declared, ...rest]);
};

const encodeNumbers = (...values: number[]) => {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value);
  return new Uint8Array(view.buffer);
};
const createGammaChunk = (value: number) => ({ type: "gAMA", data: encodeNumbers(value) });
const createCicpChunk = (...codes: number[]) => ({ type: "cICP", data: Uint8Array.from(codes) });
const SRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];
const DISPLAY_P3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000];
const createPrimariesChunk = (values: readonly number[]) => ({
  type: "cHRM",
  data: encodeNumbers(...values),
});

/** A gray profile with this gamma, in hundredths (ICC.1:2022, 8.3.4 and 10.6). */
function createGrayProfile(hundredths: number): Uint8Array {
  const curve = concatBytes("curv\0\0\0\0", encodeNumbers(1), 0, 0, 0, 0);
  curve.set([Math.floor((hundredths * 2.56) / 256), Math.round(hundredths * 2.56) % 256], 12);
  const white = concatBytes("XYZ \0\0\0\0", encodeNumbers(63_190, 65_536, 54_061));
  const table = concatBytes(
    encodeNumbers(2),
    "wtpt",
    encodeNumbers(156, 20),
    "kTRC",
    encodeNumbers(176, 16),
  );
  const profile = concatBytes(new Uint8Array(128), table, white, curve);
  profile.set(encodeNumbers(profile.length));
  profile.set(concatBytes("\x02\x40\0\0mntrGRAYXYZ "), 8);
  profile.set(concatBytes("acsp"), 36);
  profile.set(encodeNumbers(63_190, 65_536, 54_061), 68);
  return profile;
}

/** A gray picture with the profile, in a format. */
async function createGrayPicture(profile: Uint8Array, format: "jpeg" | "png"): Promise<Bytes> {
  const gray = createGrayPng(48, 32, (x) => 5 * x);
  const [header, ...rest] = readPngChunks(gray);
  if (format === "png") {
    const data = concatBytes("x\0\0", deflateSync(profile));
    return createPng([header!, { type: "iCCP", data }, ...rest]);
  }
  const jpeg = await Bun.file(getSentPath("gray.jpg")).bytes();
  const length = profile.length + 16;
  const start = concatBytes("\xff\xd8\xff\xe2", length >> 8, length & 255, "ICC_PROFILE\0\x01\x01");
  return concatBytes(start, profile, jpeg.subarray(2));
}

/** Pictures as other programs write them, which look the same in browsers when they are stored. */
const SAME_LOOKING: Corpus = {
  "a PNG with the gamma of linear light": async () => createPatches(createGammaChunk(100_000)),
  "a PNG with an old Mac's gamma": async () => createPatches(createGammaChunk(55_556)),
  "a PNG with sRGB's gamma": async () => createPatches(createGammaChunk(45_455)),
  "a PNG with gamma and chromaticities, as ImageMagick's": async () =>
    createPatches(createGammaChunk(45_455), createPrimariesChunk(SRGB)),
  "a PNG with Display P3's chromaticities": async () =>
    createPatches(createGammaChunk(45_455), createPrimariesChunk(DISPLAY_P3)),
  "a PNG with chromaticities that are no colors": async () =>
    createPatches(createGammaChunk(45_455), createPrimariesChunk(SRGB.map(() => 0))),
  "a PNG with sRGB's chunk and another gamma": async () =>
    createPatches({ type: "sRGB", data: Uint8Array.of(0) }, createGammaChunk(100_000)),
  "a PNG with Display P3 as a code": async () => createPatches(createCicpChunk(12, 13, 0, 1)),
  "a PNG with BT.2020's primaries as a code": async () =>
    createPatches(createCicpChunk(9, 13, 0, 1)),
  "a PNG with sRGB as a code and another gamma": async () =>
    createPatches(createCicpChunk(1, 13, 0, 1), createGammaChunk(100_000)),
  "a gray PNG with a gray profile": () => createGrayPicture(createGrayProfile(140), "png"),
  "a gray JPEG with a gray profile": () => createGrayPicture(createGrayProfile(140), "jpeg"),
};

/** The colors in the middle of the six patches of each picture, as the page shows them. */
const readShownColors = (page: Page, pictures: readonly Bytes[]) =>
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

test.each(Object.entries(SAME_LOOKING))(
  "%s looks the same when it is stored, in every size",
  async (_, make) => {
    const bytes = await make();
    const accepted = await acceptImage(bytes);
    const variants = await createVariants(accepted);
    const page = await newPage();
    const [original, ...stored] = await readShownColors(page, [
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

test("a JPEG with arithmetic coding, which browsers can't show, is stored as one that they can", async () => {
  const { bytes, width } = await acceptImage(await Bun.file(getSentPath("arithmetic.jpg")).bytes());
  const [colors] = await readShownColors(await newPage(), [bytes]);
  expect([width, colors!.slice(0, 3).map((value) => Math.round(value / 20))]).toEqual([
    48,
    [10, 3, 3],
  ]);
});

test("a picture that lacks pixels is refused as damaged, or accepted and shown by Chromium", async () => {
  const results = await collectVerdicts(PARTIAL_PICTURES);
  const allowed = ["taken", createDamagedImageRefusal().message];
  expect(results.filter(({ verdict }) => !allowed.includes(verdict))).toEqual([]);
  // Every accepted picture can be shown.
  expect(results.filter(({ decoded, verdict }) => verdict === "taken" && !decoded)).toEqual([]);
});
