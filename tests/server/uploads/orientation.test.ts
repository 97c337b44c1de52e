import { describe, expect, test } from "bun:test";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { jpegWithMetadata, tiffWithPlace } from "../../support/exif.ts";
import { FULL_HOUSE, picture, pictureAs } from "../../support/pictures.ts";
import { pngChunks, pngOf } from "../../support/png.ts";
import { bitstreamChunk, webpChunk, webpFile, webpHeader } from "../../support/webp.ts";

const SIDEWAYS = [5, 6, 7, 8];

describe("the orientation is applied", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("of a JPEG held as %d", async (orientation) => {
    const jpeg = await picture(FULL_HOUSE);
    const accepted = await acceptImage(jpegWithMetadata(jpeg, orientation));
    const [width, height] = SIDEWAYS.includes(orientation) ? [900, 1600] : [1600, 900];
    expect([accepted.width, accepted.height]).toEqual([width, height]);
    // The decoder turns JPEGs by itself when asked to: an independent witness.
    const witness = await new Bun.Image(jpegWithMetadata(jpeg, orientation))
      .jpeg({ quality: 90 })
      .bytes();
    expect(Buffer.from(accepted.bytes).equals(witness)).toBe(true);
  });

  test("of a PNG with EXIF", async () => {
    const [header, ...rest] = pngChunks(await pictureAs("png", 60, 40));
    const accepted = await acceptImage(
      pngOf([header!, { type: "eXIf", data: tiffWithPlace(6) }, ...rest]),
    );
    expect([accepted.width, accepted.height]).toEqual([40, 60]);
  });

  test("of a WebP with EXIF", async () => {
    const webp = webpFile(
      webpHeader(8, 60, 40),
      bitstreamChunk(await pictureAs("webp", 60, 40)),
      webpChunk("EXIF", tiffWithPlace(8)),
    );
    const accepted = await acceptImage(webp);
    expect([accepted.width, accepted.height]).toEqual([40, 60]);
  });

  test("and an EXIF block that makes no sense counts as upright", async () => {
    const webp = webpFile(
      webpHeader(8, 60, 40),
      bitstreamChunk(await pictureAs("webp", 60, 40)),
      webpChunk("EXIF", tiffWithPlace(6).subarray(0, 14)),
    );
    expect((await acceptImage(webp)).width).toBe(60);
  });
});
