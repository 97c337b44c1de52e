import { describe, expect, test } from "bun:test";
import type { Refusal } from "../../../src/server/shared/errors.ts";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import {
  createDamagedImageRefusal,
  createTooManyPixelsRefusal,
} from "../../../src/server/uploads/imageStructure.ts";
import { createGif } from "../../support/gif.ts";
import { concatBytes, PHOTOGRAPH, readPicture, createPicture } from "../../support/pictures.ts";
import { createEmptyPng, readPngChunks, createPng } from "../../support/png.ts";
import { catchRefusal } from "../../support/catchRefusal.ts";
import { createAnimatedWebp, createWebp, createWebpHeader } from "../../support/webp.ts";

/** The fault of a refused picture, by its message. */
function formatReason({ message, code }: Refusal): string {
  if (message === createDamagedImageRefusal().message) return "damaged";
  return message === createTooManyPixelsRefusal().message ? "too_many_pixels" : code;
}

async function findCode(bytes: Uint8Array): Promise<unknown> {
  return acceptImage(bytes).then(() => "accepted", formatReason);
}

describe("a truncated picture is refused", () => {
  test.each([
    ["JPEG", () => readPicture(PHOTOGRAPH)],
    ["PNG", () => createPicture("png", 200, 100)],
    ["WebP", () => createPicture("webp", 200, 100)],
    ["GIF", async () => createGif(40, 30, [5])],
    ["animated GIF", async () => createGif(40, 30, [5, 9])],
    ["animated WebP", () => createAnimatedWebp(64, 36, 3)],
  ])("%s, wherever it was truncated", async (_name, make) => {
    const whole = await make();
    expect((await acceptImage(whole)).width).toBeGreaterThan(0);
    const cuts = [13, 30, 100, whole.length >> 1, whole.length - 100, whole.length - 14];
    for (const cut of cuts) expect(await findCode(whole.subarray(0, cut))).toBe("damaged");
  });

  test("a PNG whose pixels end too early although every chunk is intact", async () => {
    const chunks = readPngChunks(await createPicture("png", 200, 100));
    const first = chunks.findIndex((chunk) => chunk.type === "IDAT");
    const cut = chunks.filter((chunk, index) => chunk.type !== "IDAT" || index === first);
    cut[first] = { type: "IDAT", data: cut[first]!.data.subarray(0, 500) };
    expect(await findCode(createPng(cut))).toBe("damaged");
  });

  test("with a message that says what to do", async () => {
    const { message } = await catchRefusal(
      acceptImage((await readPicture(PHOTOGRAPH)).subarray(0, 9000)),
    );
    expect(message).toBe(
      "This image is damaged or incomplete. Export it again, or choose another one.",
    );
  });
});

/** Damaged pictures, by their fault. */
const DAMAGED: Readonly<Record<string, () => Promise<Uint8Array<ArrayBuffer>>>> = {
  "a PNG with a wrong checksum": async () => {
    const png = await createPicture("png", 60, 40);
    png[png.length >> 1]! ^= 0xff;
    return png;
  },
  "a JPEG without a frame": async () => concatBytes("\xff\xd8\xff\xd9"),
  "a JPEG with two frames": async () => {
    const jpeg = await createPicture("jpeg", 60, 40);
    const frameAt = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xc0]));
    const frame = jpeg.subarray(frameAt, frameAt + 2 + jpeg[frameAt + 3]!);
    return concatBytes(jpeg.subarray(0, frameAt), frame, jpeg.subarray(frameAt));
  },
  "a JPEG with scans without number, each a long walk for the decoder": async () => {
    const png = new Bun.Image(await createPicture("png", 60, 40));
    const jpeg = new Uint8Array(await png.jpeg({ progressive: true }).bytes());
    const scanAt = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xda]));
    const nextAt = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xc4]), scanAt);
    const scans = Array.from({ length: 101 }, () => jpeg.subarray(scanAt, nextAt));
    return concatBytes(jpeg.subarray(0, scanAt), ...scans, jpeg.subarray(nextAt));
  },
  "a GIF without a frame": async () => createGif(40, 30, []),
  "a GIF with a block of no known kind": async () =>
    concatBytes(createGif(40, 30, [5]).subarray(0, -1), "<script>;"),
  "a GIF whose frames hold no picture": async () => {
    const gif = createGif(40, 30, [5]);
    const framesAt = Buffer.from(gif).lastIndexOf(",\0\0\0\0");
    return concatBytes(gif.subarray(0, framesAt + 11), "\x01\xff\0;");
  },
  "an animated WebP without frames": async () => createWebp(createWebpHeader(2, 64, 36)),
  "a WebP whose frame says another size than its pixels": async () => {
    const webp = await createAnimatedWebp(64, 36, 2);
    webp[Buffer.from(webp).indexOf("ANMF") + 8 + 6] = 31;
    return webp;
  },
  "a GIF with an empty side": async () => {
    const gif = createGif(40, 30, [5]);
    gif.set([0, 0], 6);
    return gif;
  },
};

describe("a damaged picture is refused", () => {
  test.each(Object.keys(DAMAGED))("%s", async (damage) => {
    expect(await findCode(await DAMAGED[damage]!())).toBe("damaged");
  });

  test("a picture with one changed byte is refused or decoded, and never crashes the decoder", async () => {
    const samples = [
      await createPicture("jpeg", 40, 30),
      await createPicture("webp", 40, 30),
      createGif(20, 10, [5, 9]),
      await createAnimatedWebp(32, 18, 2),
    ];
    const codes = new Set<unknown>();
    for (const sample of samples) {
      for (let at = 0; at < sample.length; at += Math.ceil(sample.length / 30)) {
        const broken = sample.slice();
        broken[at]! ^= 0xff;
        const outcome = await acceptImage(broken).then(() => "accepted", formatReason);
        codes.add(outcome);
      }
    }
    const expected = ["accepted", "damaged", "wrong_type", "too_many_pixels"];
    expect([...codes].filter((code) => !expected.includes(code as string))).toEqual([]);
    expect(codes).toContain("damaged");
  });
});

describe("a picture's dimensions are checked before it is decoded", () => {
  test.each([
    ["a bomb of 12,000 by 12,000 pixels", 12_000, 12_000],
    ["a side of 12,001 pixels", 12_001, 1],
    ["a height of 12,001 pixels", 1, 12_001],
    ["the largest numbers there are", 0x7fffffff, 0x7fffffff],
  ])("%s is refused with a message that names the limits", async (_name, width, height) => {
    const bomb = createEmptyPng(Math.min(width, 20_000), height);
    new DataView(bomb.buffer).setUint32(16, width);
    const header = bomb.subarray(12, 29);
    new DataView(bomb.buffer).setUint32(29, Bun.hash.crc32(header));
    const { code, status, message } = await catchRefusal(acceptImage(bomb));
    expect([code, status]).toEqual(["invalid", 422]);
    expect(message).toContain("12,000 pixels per side and 50 megapixels");
  });

  test("a picture of exactly 12,000 pixels a side is accepted", async () => {
    expect((await acceptImage(createEmptyPng(12_000, 3))).width).toBe(12_000);
  });

  test("a GIF, a JPEG and a WebP that declare too large dimensions are refused", async () => {
    const gif = createGif(40, 30, [5]);
    gif.set([0xff, 0xff, 0xff, 0xff], 6);
    const jpeg = await createPicture("jpeg", 60, 40);
    const frameAt = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.set([0xff, 0xff, 0xff, 0xff], frameAt + 5);
    const webp = createWebp(createWebpHeader(2, 16_000_000, 16_000_000));
    for (const bomb of [gif, jpeg, webp]) expect(await findCode(bomb)).toBe("too_many_pixels");
  });
});
