/** How dark and light a photograph is, patch by patch: measured when it is stored, or at the next start. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { encode } from "fast-png";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { CELLS } from "../../../src/schema/looks/scrim.ts";
import { folderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { measureBrightness } from "../../../src/server/uploads/pictureAnalysis.ts";
import { openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { uploadLibrary } from "../../../src/server/uploads/uploadLibrary.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { picture } from "../../support/pictures.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-light-"));
});
afterAll(() => rm(folder, { recursive: true }));

function pngOf(width: number, height: number, grayAt: (x: number, y: number) => number) {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1)
    data.fill(grayAt(at % width, Math.floor(at / width)), 3 * at, 3 * at + 3);
  return new Uint8Array(encode({ width, height, data, channels: 3 }));
}

test("each patch tells its own light, from the upper left to the lower right", async () => {
  const { light } = await acceptImage(
    pngOf(240, 120, (x, y) => (y < 60 ? 0 : x < 120 ? 255 : 136)),
  );
  const rows = light.match(new RegExp(`.{${2 * CELLS}}`, "g"))!;
  expect(rows).toHaveLength(CELLS);
  expect(rows[0]).toBe("00".repeat(CELLS));
  expect(rows.at(-1)).toBe("ff".repeat(CELLS / 2) + "88".repeat(CELLS / 2));
});

test("a patch of stripes is dark and light at once", async () => {
  const { light } = await acceptImage(pngOf(960, 960, (x) => (Math.floor(x / 20) % 2 ? 255 : 0)));
  expect(light).toMatch(new RegExp(`^(?:[01][ef]){${CELLS * CELLS}}$`));
});

test("fine stripes of a long picture are as dark and as light as of a square one", async () => {
  for (const [width, height] of [
    [3000, 750],
    [750, 3000],
  ] as const) {
    const stripes = pngOf(width, height, (x, y) =>
      Math.floor((Math.min(width, height) === width ? x : y) / 12) % 2 ? 255 : 0,
    );
    const { light } = await acceptImage(stripes);
    const whole = await measureBrightness(stripes);
    const off = [...light].map((digit, at) =>
      Math.abs(Number.parseInt(digit, 16) - Number.parseInt(whole[at]!, 16)),
    );
    expect(Math.max(...off)).toBeLessThanOrEqual(1);
  }
});

test("photographs that were stored before are measured at the start, once and with one write", async () => {
  const store = await folderEngine(join(folder, "data")).open({ entities: allEntities });
  const files = await openUploadFiles(folderStorage(join(folder, "uploads")), {
    listed: new Set(),
  });
  const document = store.of(entities.uploads);
  const library = uploadLibrary({ files, document, bin: openBin(store) });
  const first = await library.add(
    pngOf(640, 360, () => 255),
    "white.png",
  );
  const logo = await library.add(
    await picture("src/server/cli/demo/pictures/press-footlight.webp"),
    "logo.webp",
  );
  expect([first.light, logo.light]).toEqual(["ff".repeat(CELLS * CELLS), ""]);
  await document.update((all) => all.map((each) => ({ ...each, light: "" })));
  const before = document.read().revision;
  await library.measureBrightness();
  expect(library.list().find(({ id }) => id === first.id)?.light).toBe(first.light);
  expect(library.list().find(({ id }) => id === logo.id)?.light).toBe("");
  await library.measureBrightness();
  expect(document.read().revision).toBe(before + 1);
  // One whose file can't be read keeps no other from being measured.
  await document.update((all) => all.map((each) => ({ ...each, light: "", tone: "" })));
  const findServable: typeof files.findServable = async (name) => {
    if (name.startsWith(logo.filename.slice(0, 32))) throw new Error("The bucket is away.");
    return files.findServable(name);
  };
  const partly = { ...files, findServable };
  await uploadLibrary({ files: partly, document, bin: openBin(store) }).measureBrightness();
  expect(library.list().map(({ light }) => light)).toEqual(["", first.light]);
  await store.close();
});
