/**
 * Everything that Chromium decodes is accepted, or refused with a true message (specification, section 5.6).
 * flawedPictures.test.ts and pngSuite.test.ts show the same of pictures that every browser decodes.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createDamagedImageRefusal } from "../../../src/server/uploads/imageStructure.ts";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { closePages, closeProfiles, newPage } from "../../support/browser.ts";
import { flawlessJpeg, flawlessPng } from "../../support/flawedPictures.ts";
import { gifOf } from "../../support/gif.ts";
import { bytesOf, pictureAs } from "../../support/pictures.ts";
import { pngChunks, pngOf } from "../../support/png.ts";
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

test("a picture that lacks pixels is refused, or looks as in Chromium", async () => {
  const results = await verdicts(PARTIAL);
  const allowed = ["taken", createDamagedImageRefusal().message];
  expect(results.filter(({ verdict }) => !allowed.includes(verdict))).toEqual([]);
  // Every accepted picture can be shown.
  expect(results.filter(({ decoded, verdict }) => verdict === "taken" && !decoded)).toEqual([]);
});
