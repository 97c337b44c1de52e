/** Whether a transparent picture is drawn dark or light, so that a logo stays visible on its page. */
import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { BACKLIT, concatBytes, PHOTOGRAPH, readPicture } from "../../support/pictures.ts";
import { createPng } from "../../support/png.ts";

const LOGO = "src/server/cli/demo/pictures/press-footlight.webp";

/** A square PNG; `colorAt` returns red, green, blue and opacity. */
function createSquare(side: number, colorAt: (x: number, y: number) => readonly number[]) {
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_, x) => colorAt(x, y)).flat(),
  ]);
  const size = [0, 0, 0, side];
  return createPng([
    { type: "IHDR", data: concatBytes(...size, ...size, 8, 6, 0, 0, 0) },
    { type: "IDAT", data: new Uint8Array(deflateSync(Uint8Array.from(rows.flat()))) },
    { type: "IEND", data: new Uint8Array() },
  ]);
}

const readTone = async (colorAt: (x: number, y: number) => readonly number[]) =>
  (await acceptImage(createSquare(64, colorAt))).tone;

describe("the tone of an upload", () => {
  const isInside = (x: number, y: number) => x > 8 && x < 56 && y > 16 && y < 48;

  test("is dark or light by the visible pixels of a transparent picture", async () => {
    expect(await readTone((x, y) => [0, 0, 0, isInside(x, y) ? 255 : 0])).toBe("dark");
    expect(await readTone((x, y) => [255, 255, 255, isInside(x, y) ? 255 : 0])).toBe("light");
    expect(await readTone((x, y) => [200, 0, 0, isInside(x, y) ? 255 : 0])).toBe("dark");
    expect((await acceptImage(await readPicture(LOGO))).tone).toBe("dark");
  });

  test("is missing for photographs, rounded corners, and fully transparent pictures", async () => {
    expect((await acceptImage(await readPicture(PHOTOGRAPH))).tone).toBe("");
    expect((await acceptImage(await readPicture(BACKLIT))).tone).toBe("");
    const corner = (x: number, y: number) => Math.min(x, 63 - x) + Math.min(y, 63 - y) < 6;
    expect(await readTone((x, y) => [0, 0, 0, corner(x, y) ? 0 : 255])).toBe("");
    expect(await readTone(() => [0, 0, 0, 0])).toBe("");
  });
});
