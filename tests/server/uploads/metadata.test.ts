import { describe, expect, test } from "bun:test";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import {
  readJpegMarkers,
  addJpegMetadata,
  MAKER,
  createTiffWithLocation,
} from "../../support/exif.ts";
import { createGif } from "../../support/gif.ts";
import {
  concatBytes,
  containsText,
  FULL_HOUSE,
  PHOTOGRAPH,
  readPicture,
  createPicture,
} from "../../support/pictures.ts";
import { readPngChunks, createPng } from "../../support/png.ts";
import {
  createAnimatedWebp,
  findBitstreamChunk,
  createWebpChunk,
  createWebp,
  createWebpHeader,
} from "../../support/webp.ts";

/** A WebP of 60 by 40 pixels with EXIF and further chunks. */
async function createWebpWith(flags: number, exif: Uint8Array, ...more: Uint8Array[]) {
  const image = findBitstreamChunk(await createPicture("webp", 60, 40));
  return createWebp(
    createWebpHeader(8 | flags, 60, 40),
    image,
    createWebpChunk("EXIF", exif),
    ...more,
  );
}

describe("metadata such as GPS is removed", () => {
  test("of a JPEG: EXIF with the place, XMP and comments", async () => {
    const tagged = addJpegMetadata(await readPicture(PHOTOGRAPH));
    expect(readJpegMarkers(tagged)).toContain(0xe1);
    const { bytes } = await acceptImage(tagged);
    expect(readJpegMarkers(bytes)).not.toContain(0xe1);
    expect(readJpegMarkers(bytes)).not.toContain(0xfe);
    for (const text of ["Exif", MAKER, "xmpmeta", "a comment"])
      expect(containsText(bytes, text)).toBe(false);
  });

  test("of a PNG: texts, EXIF and time", async () => {
    const [header, ...rest] = readPngChunks(await createPicture("png", 60, 40));
    const tagged = createPng([
      header!,
      { type: "tEXt", data: concatBytes("Author\0somebody private") },
      { type: "eXIf", data: createTiffWithLocation(1) },
      { type: "tIME", data: concatBytes("\x07\xe8\x01\x02\x03\x04\x05") },
      ...rest,
    ]);
    const { bytes } = await acceptImage(tagged);
    const types = readPngChunks(bytes).map((chunk) => chunk.type);
    expect(types).not.toContainAnyValues(["tEXt", "eXIf", "tIME"]);
    expect(containsText(bytes, "somebody private")).toBe(false);
  });

  test("of a WebP: EXIF and XMP", async () => {
    const xmp = createWebpChunk("XMP ", concatBytes("<x:xmpmeta/>"));
    const { bytes } = await acceptImage(await createWebpWith(4, createTiffWithLocation(1), xmp));
    for (const text of ["EXIF", "XMP ", MAKER]) expect(containsText(bytes, text)).toBe(false);
  });

  test("of an animated GIF: comments and XMP, while frames and repeats stay", async () => {
    const tagged = createGif(40, 30, [5, 90], { comment: "<script>", xmp: "private" });
    const { bytes } = await acceptImage(tagged);
    expect(bytes).toEqual(createGif(40, 30, [5, 90]));
    expect(containsText(bytes, "NETSCAPE2.0")).toBe(true);
  });

  test("of an animated WebP: EXIF, XMP and unknown chunks", async () => {
    const tagged = await createAnimatedWebp(64, 36, 3);
    const { bytes } = await acceptImage(tagged);
    for (const text of ["EXIF", "XMP ", "EVIL", "script", "ANIM", "ANMF"])
      expect(containsText(bytes, text)).toBe(false);
  });
});

describe("the EXIF orientation is applied", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("to a JPEG with the orientation %d", async (orientation) => {
    const held = addJpegMetadata(await createPicture("jpeg", 160, 90), orientation);
    const accepted = await acceptImage(held);
    const [width, height] = orientation >= 5 ? [90, 160] : [160, 90];
    expect([accepted.width, accepted.height]).toEqual([width, height]);
    // The decoder can turn JPEGs itself, which confirms the result independently.
    const witness = await new Bun.Image(held).jpeg({ quality: 90 }).bytes();
    expect(Buffer.from(accepted.bytes).equals(witness)).toBe(true);
  });

  test("to a JPEG with two EXIF segments, by the first segment, as in browsers", async () => {
    const held = addJpegMetadata(addJpegMetadata(await readPicture(FULL_HOUSE), 1), 6);
    expect(await acceptImage(held)).toMatchObject({ width: 900, height: 1600 });
  });

  test("to a PNG with EXIF", async () => {
    const [header, ...rest] = readPngChunks(await createPicture("png", 60, 40));
    const held = createPng([header!, { type: "eXIf", data: createTiffWithLocation(6) }, ...rest]);
    expect(await acceptImage(held)).toMatchObject({ width: 40, height: 60 });
  });

  test("to a WebP with EXIF, and an invalid EXIF block counts as upright", async () => {
    const held = await createWebpWith(0, createTiffWithLocation(8));
    expect(await acceptImage(held)).toMatchObject({ width: 40, height: 60 });
    const senseless = await createWebpWith(0, createTiffWithLocation(6).subarray(0, 14));
    expect((await acceptImage(senseless)).width).toBe(60);
  });
});

describe("trailing data is removed", () => {
  const tail = "<script>alert(1)</script>PK\x03\x04archive";

  test.each([
    ["a JPEG", () => createPicture("jpeg", 60, 40)],
    ["a PNG", () => createPicture("png", 60, 40)],
    ["a WebP", () => createPicture("webp", 60, 40)],
    ["a GIF", async () => createGif(40, 30, [5])],
    ["an animated GIF", async () => createGif(40, 30, [5, 9])],
    ["an animated WebP", () => createAnimatedWebp(64, 36, 2)],
  ])("behind %s", async (_name, make) => {
    const clean = await make();
    const { bytes } = await acceptImage(concatBytes(clean, tail));
    expect(containsText(bytes, "script")).toBe(false);
    expect(containsText(bytes, "PK\x03\x04")).toBe(false);
    expect(bytes).toEqual((await acceptImage(clean)).bytes);
  });
});
