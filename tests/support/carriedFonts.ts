/** The fonts as a build carries them, in a folder of their own for all the tests of a file. */
import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectFonts } from "../../src/build/fonts.ts";
import type { FontCatalogue } from "../../src/server/pages/fontCatalog.ts";

/** Where the fonts are, and what is known of them; there from the first hook on. */
export interface CarriedFonts {
  readonly directory: string;
  readonly catalogue: FontCatalogue;
}

/** Collects them before the first test. */
export function carriedFonts(): CarriedFonts {
  // Every font is cut to its letters, on a machine that may be busy.
  setDefaultTimeout(120_000);
  const fonts = {} as CarriedFonts;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "limelight-fonts-"));
    Object.assign(fonts, { directory });
    Object.assign(fonts, { catalogue: await collectFonts(directory) });
  });
  afterAll(() => rm(fonts.directory, { recursive: true, force: true }));
  return fonts;
}
