import { describe, expect, test } from "bun:test";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { jpegMarkers, jpegWithMetadata, MAKER, tiffWithPlace } from "../../support/exif.ts";
import { gifOf } from "../../support/gif.ts";
import { bytesOf, contains, PHOTOGRAPH, picture, pictureAs } from "../../support/pictures.ts";
import { pngChunks, pngOf } from "../../support/png.ts";
import {
  animatedWebp,
  bitstreamChunk,
  webpChunk,
  webpFile,
  webpHeader,
} from "../../support/webp.ts";

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
    const tagged = webpFile(
      webpHeader(4 | 8, 60, 40),
      bitstreamChunk(await pictureAs("webp", 60, 40)),
      webpChunk("EXIF", tiffWithPlace(1)),
      webpChunk("XMP ", bytesOf("<x:xmpmeta/>")),
    );
    const { bytes } = await acceptImage(tagged);
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

describe("trailing data is gone", () => {
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
