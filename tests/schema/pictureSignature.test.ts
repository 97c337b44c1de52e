import { expect, test } from "bun:test";
import { losesAnimation, detectPictureType } from "../../src/schema/pictures/pictureSignature.ts";
import { createGif } from "../support/gif.ts";
import { concatBytes, createPicture } from "../support/pictures.ts";
import { readPngChunks, createPng } from "../support/png.ts";
import { createAnimatedWebp } from "../support/webp.ts";

const createPhoneFile = (major: string, ...more: string[]) =>
  concatBytes(0, 0, 0, 16 + 4 * more.length, "ftyp", major, "\0\0\0\0", ...more, "\0\0\0\x08meta");

test.each([
  ["heic", createPhoneFile("heic", "mif1", "heic"), "image/heic"],
  ["heic of ten bits", createPhoneFile("heix", "mif1"), "image/heic"],
  ["heif by its codec's brand", createPhoneFile("mif1", "mif1", "heic"), "image/heic"],
  ["avif by a later brand", createPhoneFile("mif1", "miaf", "avif"), "image/avif"],
  ["an avif sequence", createPhoneFile("avis", "msf1", "miaf"), "image/avif"],
  ["a film", createPhoneFile("isom", "mp41"), undefined],
  ["a box that ends at once", concatBytes("\0\0\0\x08ftypheic"), "image/heic"],
  ["a box longer than its file", concatBytes("\xff\xff\xff\xffftypmp42\0\0\0\0"), undefined],
  ["words", concatBytes("JFIF"), undefined],
  ["nothing", new Uint8Array(), undefined],
])("a file's picture type, if any, is detected from its bytes: %s", (_, bytes, kind) => {
  expect(detectPictureType(bytes)).toBe(kind as never);
});

test("an animated PNG, WebP or AVIF loses its animation, but a GIF or still picture doesn't", async () => {
  const png = await createPicture("png", 20, 10);
  const [header, ...rest] = readPngChunks(png);
  const moving = createPng([
    header!,
    { type: "tEXt", data: concatBytes("Title\0a") },
    { type: "acTL", data: concatBytes("\0\0\0\x02\0\0\0\0") },
    ...rest,
  ]);
  expect(losesAnimation(moving)).toBe(true);
  expect(losesAnimation(await createAnimatedWebp(64, 36, 2))).toBe(true);
  expect(losesAnimation(createPhoneFile("avis", "msf1"))).toBe(true);
  const stills = [
    png,
    createGif(20, 10, [1, 2]),
    createPhoneFile("avif", "mif1"),
    concatBytes("\x89PNG\r\n\x1a\n"),
  ];
  for (const bytes of [
    ...stills,
    await createPicture("webp", 9, 9),
    await createPicture("jpeg", 9, 9),
  ])
    expect(losesAnimation(bytes)).toBe(false);
});
