import { describe, expect, test } from "bun:test";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { jpegMarkers, jpegWithMetadata, MAKER, tiffWithPlace } from "../../support/exif.ts";
import { gifOf } from "../../support/gif.ts";
import {
  bytesOf,
  contains,
  FULL_HOUSE,
  PHOTOGRAPH,
  picture,
  pictureAs,
} from "../../support/pictures.ts";
import { pngChunks, pngOf } from "../../support/png.ts";
import {
  animatedWebp,
  bitstreamChunk,
  webpChunk,
  webpFile,
  webpHeader,
} from "../../support/webp.ts";

/** A WebP of 60 by 40 pixels with EXIF and further chunks. */
async function webpWith(flags: number, exif: Uint8Array, ...more: Uint8Array[]) {
  const image = bitstreamChunk(await pictureAs("webp", 60, 40));
  return webpFile(webpHeader(8 | flags, 60, 40), image, webpChunk("EXIF", exif), ...more);
}

describe("metadata such as GPS is removed", () => {
  test("of a JPEG: EXIF with the place, XMP and comments", async () => {
    const tagged = jpegWithMetadata(await picture(PHOTOGRAPH));
    expect(jpegMarkers(tagged)).toContain(0xe1);
    const { bytes } = await acceptImage(tagged);
    expect(jpegMarkers(bytes)).not.toContain(0xe1);
    expect(jpegMarkers(bytes)).not.toContain(0xfe);
    for (const text of ["Exif", MAKER, "xmpmeta", "a comment"])
      expect(contains(bytes, text)).toBe(false);
  });

  test("of a PNG: texts, EXIF and time", async () => {
    const [header, ...rest] = pngChunks(await pictureAs("png", 60, 40));
    const tagged = pngOf([
      header!,
      { type: "tEXt", data: bytesOf("Author\0somebody private") },
      { type: "eXIf", data: tiffWithPlace(1) },
      { type: "tIME", data: bytesOf("\x07\xe8\x01\x02\x03\x04\x05") },
      ...rest,
    ]);
    const { bytes } = await acceptImage(tagged);
    const types = pngChunks(bytes).map((chunk) => chunk.type);
    expect(types).not.toContainAnyValues(["tEXt", "eXIf", "tIME"]);
    expect(contains(bytes, "somebody private")).toBe(false);
  });

  test("of a WebP: EXIF and XMP", async () => {
    const xmp = webpChunk("XMP ", bytesOf("<x:xmpmeta/>"));
    const { bytes } = await acceptImage(await webpWith(4, tiffWithPlace(1), xmp));
    for (const text of ["EXIF", "XMP ", MAKER]) expect(contains(bytes, text)).toBe(false);
  });

  test("of an animated GIF: comments and XMP, while frames and repeats stay", async () => {
    const tagged = gifOf(40, 30, [5, 90], { comment: "<script>", xmp: "private" });
    const { bytes } = await acceptImage(tagged);
    expect(bytes).toEqual(gifOf(40, 30, [5, 90]));
    expect(contains(bytes, "NETSCAPE2.0")).toBe(true);
  });

  test("of an animated WebP: EXIF, XMP and unknown chunks", async () => {
    const tagged = await animatedWebp(64, 36, 3);
    const { bytes } = await acceptImage(tagged);
    for (const text of ["EXIF", "XMP ", "EVIL", "script", "ANIM", "ANMF"])
      expect(contains(bytes, text)).toBe(false);
  });
});

describe("the orientation is applied", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("of a JPEG with the orientation %d", async (orientation) => {
    const held = jpegWithMetadata(await pictureAs("jpeg", 160, 90), orientation);
    const accepted = await acceptImage(held);
    const [width, height] = orientation >= 5 ? [90, 160] : [160, 90];
    expect([accepted.width, accepted.height]).toEqual([width, height]);
    // The decoder can turn JPEGs itself, which confirms the result independently.
    const witness = await new Bun.Image(held).jpeg({ quality: 90 }).bytes();
    expect(Buffer.from(accepted.bytes).equals(witness)).toBe(true);
  });

  test("of a JPEG with two EXIF segments by the first, as browsers do", async () => {
    const held = jpegWithMetadata(jpegWithMetadata(await picture(FULL_HOUSE), 1), 6);
    expect(await acceptImage(held)).toMatchObject({ width: 900, height: 1600 });
  });

  test("of a PNG with EXIF", async () => {
    const [header, ...rest] = pngChunks(await pictureAs("png", 60, 40));
    const held = pngOf([header!, { type: "eXIf", data: tiffWithPlace(6) }, ...rest]);
    expect(await acceptImage(held)).toMatchObject({ width: 40, height: 60 });
  });

  test("of a WebP with EXIF, and an EXIF block that makes no sense counts as upright", async () => {
    const held = await webpWith(0, tiffWithPlace(8));
    expect(await acceptImage(held)).toMatchObject({ width: 40, height: 60 });
    const senseless = await webpWith(0, tiffWithPlace(6).subarray(0, 14));
    expect((await acceptImage(senseless)).width).toBe(60);
  });
});

describe("trailing data is removed", () => {
  const tail = "<script>alert(1)</script>PK\x03\x04archive";

  test.each([
    ["a JPEG", () => pictureAs("jpeg", 60, 40)],
    ["a PNG", () => pictureAs("png", 60, 40)],
    ["a WebP", () => pictureAs("webp", 60, 40)],
    ["a GIF", async () => gifOf(40, 30, [5])],
    ["an animated GIF", async () => gifOf(40, 30, [5, 9])],
    ["an animated WebP", () => animatedWebp(64, 36, 2)],
  ])("behind %s", async (_name, make) => {
    const clean = await make();
    const { bytes } = await acceptImage(bytesOf(clean, tail));
    expect(contains(bytes, "script")).toBe(false);
    expect(contains(bytes, "PK\x03\x04")).toBe(false);
    expect(bytes).toEqual((await acceptImage(clean)).bytes);
  });
});
