import { expect, test } from "bun:test";
import {
  isFlattenedAnimation,
  detectPictureKind,
} from "../../src/schema/pictures/pictureSignature.ts";
import { gifOf } from "../support/gif.ts";
import { bytesOf, pictureAs } from "../support/pictures.ts";
import { pngChunks, pngOf } from "../support/png.ts";
import { animatedWebp } from "../support/webp.ts";

const phone = (major: string, ...more: string[]) =>
  bytesOf(0, 0, 0, 16 + 4 * more.length, "ftyp", major, "\0\0\0\0", ...more, "\0\0\0\x08meta");

test.each([
  ["heic", phone("heic", "mif1", "heic"), "image/heic"],
  ["heic of ten bits", phone("heix", "mif1"), "image/heic"],
  ["heif by its codec's brand", phone("mif1", "mif1", "heic"), "image/heic"],
  ["avif by a later brand", phone("mif1", "miaf", "avif"), "image/avif"],
  ["an avif sequence", phone("avis", "msf1", "miaf"), "image/avif"],
  ["a film", phone("isom", "mp41"), undefined],
  ["a box that ends at once", bytesOf("\0\0\0\x08ftypheic"), "image/heic"],
  ["a box longer than its file", bytesOf("\xff\xff\xff\xffftypmp42\0\0\0\0"), undefined],
  ["words", bytesOf("JFIF"), undefined],
  ["nothing", new Uint8Array(), undefined],
])("recognizes %s", (_, bytes, kind) => {
  expect(detectPictureKind(bytes)).toBe(kind as never);
});

test("only animations that aren't GIFs lose their motion", async () => {
  const png = await pictureAs("png", 20, 10);
  const [header, ...rest] = pngChunks(png);
  const moving = pngOf([
    header!,
    { type: "tEXt", data: bytesOf("Title\0a") },
    { type: "acTL", data: bytesOf("\0\0\0\x02\0\0\0\0") },
    ...rest,
  ]);
  expect(isFlattenedAnimation(moving)).toBe(true);
  expect(isFlattenedAnimation(await animatedWebp(64, 36, 2))).toBe(true);
  expect(isFlattenedAnimation(phone("avis", "msf1"))).toBe(true);
  const stills = [png, gifOf(20, 10, [1, 2]), phone("avif", "mif1"), bytesOf("\x89PNG\r\n\x1a\n")];
  for (const bytes of [...stills, await pictureAs("webp", 9, 9), await pictureAs("jpeg", 9, 9)])
    expect(isFlattenedAnimation(bytes)).toBe(false);
});
