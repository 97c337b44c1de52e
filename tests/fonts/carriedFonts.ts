/** The fonts as a build carries them, in a folder of their own for all the tests of a file. */
import { afterAll, beforeAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectFonts } from "../../src/build/fonts.ts";
import type { FontCatalogue } from "../../src/server/pages/fonts/fontCatalogue.ts";

/** Where the fonts are, and what is known of them; there from the first hook on. */
export interface CarriedFonts {
  readonly directory: string;
  readonly catalogue: FontCatalogue;
}

export function carriedFonts(): CarriedFonts {
  const fonts = {} as CarriedFonts;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "limelight-fonts-"));
    Object.assign(fonts, { directory, catalogue: await collectFonts(directory) });
  });
  afterAll(() => rm(fonts.directory, { recursive: true, force: true }));
  return fonts;
}
