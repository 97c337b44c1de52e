/** Pictures with flaws that every browser accepts, since libjpeg and libpng only warn about them. */
import { createSegment } from "./exif.ts";
import { concatBytes, PHOTOGRAPH, readPicture } from "./pictures.ts";
import { readPngChunks, createPng } from "./png.ts";

export const FLAWED_SIZE = { width: 160, height: 120 };

let shrunkPicture: Promise<Uint8Array> | undefined;
const getShrunkPicture = () => (shrunkPicture ??= shrinkPicture());

async function shrinkPicture(): Promise<Uint8Array> {
  const { width, height } = FLAWED_SIZE;
  return new Bun.Image(await readPicture(PHOTOGRAPH)).resize(width, height).png().bytes();
}
export const createFlawlessJpeg = async (progressive = false) =>
  new Uint8Array(
    await new Bun.Image(await getShrunkPicture()).jpeg({ quality: 85, progressive }).bytes(),
  );
export const createFlawlessPng = async () => new Uint8Array(await getShrunkPicture());

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the position of a JPEG's marker; with `isLast`, of the last such marker. */
const findMarker = (jpeg: Bytes, code: number, isLast = false) =>
  Buffer.from(jpeg)[isLast ? "lastIndexOf" : "indexOf"](Buffer.from([0xff, code]));

const TRAILER = `${"\0".repeat(300)}SEFHk\0\0\0\x01\0\0\0SEFT`;

const JPEG_FLAWS: Readonly<Record<string, (jpeg: Bytes) => Bytes>> = {
  "without an end marker": (jpeg) => jpeg.subarray(0, -2),
  "with half an end marker": (jpeg) => jpeg.subarray(0, -1),
  "with a maker's trailer instead of an end marker": (jpeg) =>
    concatBytes(jpeg.subarray(0, -2), TRAILER),
  "with a trailer that has markers of its own": (jpeg) =>
    concatBytes(jpeg.subarray(0, -2), TRAILER, "\xff\xe5\xff\xff\xff\xd8\xff\xe0\0\x04ab"),
  "with another picture instead of an end marker": (jpeg) =>
    concatBytes(jpeg.subarray(0, -2), jpeg),
  "with other things after its end": (jpeg) => concatBytes(jpeg, "\0\0\xff<script>\xff\xc0"),
  "with stray bytes before a marker": (jpeg) =>
    concatBytes(jpeg.subarray(0, 20), "\0\x01stray", jpeg.subarray(20)),
  "with fill bytes before every segment": (jpeg) =>
    concatBytes(jpeg.subarray(0, 2), "\xff\xff\xff", jpeg.subarray(2)),
  "with stray bytes before its end marker": (jpeg) =>
    concatBytes(jpeg.subarray(0, -2), "\x12\x34\xff\0\x56", "\xff\xd9"),
  "with an empty segment of no length": (jpeg) =>
    concatBytes(jpeg.subarray(0, 2), "\xff\xed\0\0", jpeg.subarray(2)),
  "with Adobe's segment beside JFIF's": (jpeg) =>
    concatBytes(
      jpeg.subarray(0, 20),
      createSegment(0xee, "Adobe\0d\0\0\0\0\x01"),
      jpeg.subarray(20),
    ),
  "with Adobe's segment that contradicts JFIF's": (jpeg) =>
    concatBytes(jpeg.subarray(0, 20), createSegment(0xee, "Adobe\0d\0\0\0\0\0"), jpeg.subarray(20)),
  "with an unfinished comment segment in its trailer": (jpeg) =>
    concatBytes(jpeg, "\xff\xfe\xff\xff"),
  "with a lone restart marker before its scan": (jpeg) => {
    const at = findMarker(jpeg, 0xdb);
    return concatBytes(jpeg.subarray(0, at), "\xff\xd0", jpeg.subarray(at));
  },
};

/** Repeats the last scan. */
function repeatLastScan(jpeg: Bytes, count: number): Bytes {
  const at = findMarker(jpeg, 0xda, true);
  const scans = Array.from({ length: count }, () => jpeg.subarray(at, -2));
  return concatBytes(jpeg.subarray(0, -2), ...scans, "\xff\xd9");
}

/** Gives a wrong checksum to each chunk for whose type `isWrong` returns true. */
function breakChecksums(png: Bytes, isWrong: (type: string) => boolean): Bytes {
  const copy = png.slice();
  let offset = 8;
  for (const { type, data } of readPngChunks(png)) {
    offset += 12 + data.length;
    if (isWrong(type)) copy[offset - 1]! ^= 0xff;
  }
  return copy;
}

const insertChunk = (png: Bytes, type: string, data: string) => {
  const [header, ...rest] = readPngChunks(png);
  return createPng([header!, { type, data: concatBytes(data) }, ...rest]);
};

const PNG_FLAWS: Readonly<Record<string, (png: Bytes) => Bytes>> = {
  "without IEND": (png) => png.subarray(0, -12),
  "with half of IEND": (png) => png.subarray(0, -5),
  "with a wrong checksum of IEND": (png) => breakChecksums(png, (type) => type === "IEND"),
  "with other things after IEND": (png) => concatBytes(png, "trailing\xff\xff"),
  "with other things instead of IEND": (png) =>
    concatBytes(png.subarray(0, -12), "\xff\xff\xff\xffjunk"),
  "with a wrong checksum of a text": (png) =>
    breakChecksums(insertChunk(png, "tEXt", "Title\0a"), (type) => type === "tEXt"),
  "with a wrong checksum of a gamma": (png) =>
    breakChecksums(insertChunk(png, "gAMA", "\0\0\x20\0"), (type) => type === "gAMA"),
  "with a wrong checksum of its time": (png) =>
    breakChecksums(insertChunk(png, "tIME", "\x07\xe9\x01\x01\0\0\0"), (type) => type === "tIME"),
};

/** Flawed pictures by the names of their flaws. */
export const FLAWED: Readonly<Record<string, () => Promise<Bytes>>> = Object.fromEntries([
  ...Object.entries(JPEG_FLAWS).flatMap(([flaw, make]) => [
    [`a JPEG ${flaw}`, async () => make(await createFlawlessJpeg())],
    [`a progressive JPEG ${flaw}`, async () => make(await createFlawlessJpeg(true))],
  ]),
  ...[54, 64, 90].map((count) => [
    `a JPEG of ${count + 10} scans`,
    async () => repeatLastScan(await createFlawlessJpeg(true), count),
  ]),
  ...Object.entries(PNG_FLAWS).map(([flaw, make]) => [
    `a PNG ${flaw}`,
    async () => make(await createFlawlessPng()),
  ]),
]);
