/**
 * PngSuite, Willem van Schaik's pictures of every kind of PNG, valid and broken (its license is in the archive): the
 * valid ones look the same afterwards, the others are refused with a message. Beside each are its pixels from
 * another decoder, as 8-bit RGBA.
 */
import { decode } from "fast-png";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { beforeAll, expect, test } from "bun:test";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { join } from "node:path";

const ARCHIVE = join(import.meta.dir, "../../fixtures/pngsuite.tar.gz");
const files = new Map<string, Uint8Array<ArrayBuffer>>();

beforeAll(async () => {
  const bytes = new Uint8Array(await Bun.file(ARCHIVE).arrayBuffer());
  const entries = Readable.from([bytes]).pipe(createGunzip()).pipe(extract());
  for await (const entry of entries)
    files.set(
      entry.header.name.replace("pngsuite/", ""),
      new Uint8Array(Buffer.concat((await Array.fromAsync(entry)) as Buffer[])),
    );
});

const listNames = (isIncluded: (name: string) => boolean) =>
  [...files.keys()].filter((name) => name.endsWith(".png") && isIncluded(name));
const isBroken = (name: string) => name.startsWith("x");

/** A picture's pixels after the server has rewritten it as 8-bit PNG. */
async function readStoredPixels(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const accepted = await acceptImage(bytes);
  const { data, channels, width, height, palette } = decode(accepted.bytes);
  expect([palette, width, height]).toEqual([undefined, accepted.width, accepted.height]);
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const of = (channel: number) => data[pixel * channels + channel]!;
    const isGrey = channels < 3;
    const alpha = channels % 2 === 0 ? of(channels - 1) : 255;
    rgba.set(isGrey ? [of(0), of(0), of(0), alpha] : [of(0), of(1), of(2), alpha], pixel * 4);
  }
  return rgba;
}

/** Two ways of rounding 16 bits to 8 differ by one. */
const MAX_DIFFERENCE = 1;

/** The largest difference of two pictures; transparent pixels may have any color. */
function measureDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let at = 0; at < one.length; at++) {
    const isUnseen = at % 4 < 3 && one[at | 3] === 0 && other[at | 3] === 0;
    if (!isUnseen) most = Math.max(most, Math.abs(one[at]! - other[at]!));
  }
  return most;
}

test("every valid picture of the PNG test suite is accepted, and its pixels stay the same", async () => {
  const good = listNames((name) => !isBroken(name));
  expect(good).toHaveLength(161);
  const different: (readonly [string, unknown])[] = [];
  for (const name of good) {
    const expected = files.get(name.replace(".png", ".rgba"))!;
    const pixels = await readStoredPixels(files.get(name)!).catch((error: Error) => error.message);
    const difference = typeof pixels === "string" ? pixels : measureDifference(pixels, expected);
    if (difference !== 0 && !(Number(difference) <= MAX_DIFFERENCE))
      different.push([name, difference]);
  }
  expect(different).toEqual([]);
});

test("every broken picture of the PNG test suite is refused", async () => {
  const broken = listNames(isBroken);
  expect(broken).toHaveLength(14);
  const words: Record<string, string> = {};
  for (const name of broken)
    words[name] = await acceptImage(files.get(name)!).then(
      () => "taken",
      (error: Error & { status?: number }) => `${error.status}`,
    );
  expect(Object.entries(words).filter(([, status]) => !["415", "422"].includes(status))).toEqual(
    [],
  );
});
