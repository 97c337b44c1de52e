/** Collects the font files the site carries out of the @fontsource packages, and what they are. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FONT_WEIGHTS } from "../schema/fonts.ts";
import { FONT_FAMILIES } from "../schema/site.ts";
import type {
  CataloguedFont,
  FontCatalogue,
  FontFace,
} from "../server/pages/fonts/fontCatalogue.ts";
import { fallbacksFor } from "./fontFallbacks.ts";
import { fontLicences, mayBeChanged } from "./fontLicences.ts";
import { type OpenedFont, openFont } from "./openFont.ts";
import { slimFont } from "./slimFont.ts";

const MODULES = join(import.meta.dir, "../../node_modules");
const SUBSETS = ["latin-ext", "latin"] as const;

type Source = { subset: FontFace["subset"]; label: string; path: string };

/**
 * Puts the files of the fifteen families (spec §9), latin and latin-ext, into the directory as
 * `<family>-<subset>-<weight or wght>-<hash>.woff2`, slimmed where the licence allows it, and writes
 * `catalogue.json` and `licences-<hash>.txt` beside them. Rejects when a package or a file is missing.
 */
export async function collectFonts(outputDirectory: string): Promise<FontCatalogue> {
  await mkdir(outputDirectory, { recursive: true });
  const catalogue: FontCatalogue = { families: {}, totalBytes: 0 };
  for (const family of FONT_FAMILIES) {
    const { font, bytes } = await collectFamily(family, outputDirectory);
    catalogue.families[family] = font;
    catalogue.totalBytes += bytes;
  }
  await Bun.write(join(outputDirectory, "catalogue.json"), JSON.stringify(catalogue));
  const licences = await fontLicences(FONT_FAMILIES.map(packageOf));
  const licencesFile = `licences-${hashOf(new TextEncoder().encode(licences))}.txt`;
  await Bun.write(join(outputDirectory, licencesFile), licences);
  return catalogue;
}

async function collectFamily(
  family: string,
  outputDirectory: string,
): Promise<{ font: CataloguedFont; bytes: number }> {
  const directory = packageOf(family);
  const ranges = await Bun.file(join(directory, "unicode.json")).json();
  const slims = await mayBeChanged(directory);
  const faces: FontFace[] = [];
  const latin: OpenedFont[] = [];
  let total = 0;
  for (const source of await sourcesOf(family, directory)) {
    const whole = await Bun.file(source.path).bytes();
    const bytes = slims ? await slimFont(family, whole, ranges[source.subset]) : whole;
    const opened = openFont(bytes);
    const file = `${slugOf(family)}-${source.subset}-${source.label}-${hashOf(bytes)}.woff2`;
    await Bun.write(join(outputDirectory, file), bytes);
    total += bytes.length;
    const weights = opened.weightRange ?? [Number(source.label), Number(source.label)];
    faces.push({ subset: source.subset, weights, unicodeRange: ranges[source.subset], file });
    if (source.subset === "latin") latin.push({ ...opened, weightRange: weights });
  }
  return { font: { faces, fallbacks: fallbacksFor(family, latin) }, bytes: total };
}

/** The package with the variable file where there is one. */
function packageOf(family: string): string {
  const variable = join(MODULES, "@fontsource-variable", slugOf(family));
  return existsSync(variable) ? variable : join(MODULES, "@fontsource", slugOf(family));
}

async function sourcesOf(family: string, directory: string): Promise<Source[]> {
  const labels = directory.includes("@fontsource-variable")
    ? ["wght"]
    : await staticWeights(directory);
  return SUBSETS.flatMap((subset) =>
    labels.map((label) => ({
      subset,
      label,
      path: join(directory, "files", `${slugOf(family)}-${subset}-${label}-normal.woff2`),
    })),
  );
}

async function staticWeights(directory: string): Promise<string[]> {
  const { weights } = await Bun.file(join(directory, "metadata.json")).json();
  return weights
    .filter((weight: number) => weight >= FONT_WEIGHTS[0] && weight <= FONT_WEIGHTS.at(-1)!)
    .map(String);
}

function slugOf(family: string): string {
  return family.toLowerCase().replaceAll(" ", "-");
}

function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 8);
}
