/** Collects the site's font files from the @fontsource packages, and describes them. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import subsetFont from "subset-font";
import { FONT_WEIGHTS } from "../schema/sections/fonts.ts";
import { FONT_FAMILIES } from "../schema/sections/styles.ts";
import type { FontFamily, FontCatalog, FontFace } from "../server/pages/fontCatalog.ts";
import { createFallbackFaces, openFont, type WeightedFont } from "./fontFallbacks.ts";

const NODE_MODULES_DIR = join(import.meta.dir, "../../node_modules");
const FONT_SUBSETS = ["latin-ext", "latin"] as const;

type FontSource = { subset: FontFace["subset"]; label: string; path: string };

/** A file to write for a family: the whole source file, or only these weights of it. */
type FontPart = { label: string; weights?: number | { min: number; max: number } };

/** The weights for text. Without the rarely used thin weights, their file is a quarter smaller. */
const TEXT_PART: FontPart = { label: "wght", weights: { min: 400, max: 900 } };
const FONT_PARTS: readonly FontPart[] = [{ label: "300", weights: 300 }, TEXT_PART];

/**
 * Writes the fifteen families (specification, section 9.6) into the directory, in latin and latin-ext, as
 * `<family>-<subset>-<weight or wght>-<hash>.woff2`. Files are subset and split where the license allows changes. Also
 * writes `licenses-<hash>.txt`. Rejects when a package or a file is missing.
 */
export async function collectFonts(outputDirectory: string): Promise<FontCatalog> {
  await mkdir(outputDirectory, { recursive: true });
  const catalog: FontCatalog = { families: {}, totalBytes: 0 };
  for (const family of FONT_FAMILIES) {
    const { font, bytes } = await collectFamily(family, outputDirectory);
    catalog.families[family] = font;
    catalog.totalBytes += bytes;
  }
  const licensesText = await collectFontLicenses(FONT_FAMILIES.map(getFontPackage));
  const licensesFile = `licenses-${computeContentHash(new TextEncoder().encode(licensesText))}.txt`;
  await Bun.write(join(outputDirectory, licensesFile), licensesText);
  return catalog;
}

async function collectFamily(
  family: string,
  outputDirectory: string,
): Promise<{ font: FontFamily; bytes: number }> {
  const directory = getFontPackage(family);
  const unicodeRanges = await Bun.file(join(directory, "unicode.json")).json();
  const canSubset = await hasNoReservedName(directory);
  const faces: FontFace[] = [];
  const latinFonts: WeightedFont[] = [];
  let totalBytes = 0;
  const sources = await findSources(family, directory);
  const parts = canSubset ? await chooseParts(family, sources, unicodeRanges.latin) : undefined;
  for (const { subset, path, label } of sources)
    for (const part of parts ?? [{ label }]) {
      const sourceBytes = await Bun.file(path).bytes();
      const bytes = canSubset
        ? await subsetFontPart(family, sourceBytes, unicodeRanges[subset], part)
        : sourceBytes;
      const openedFont = await openFont(bytes, path);
      const file = `${toFamilySlug(family)}-${subset}-${part.label}-${computeContentHash(bytes)}.woff2`;
      await Bun.write(join(outputDirectory, file), bytes);
      totalBytes += bytes.length;
      const { weights = [Number(part.label), Number(part.label)] } = openedFont;
      faces.push({ subset, weights, unicodeRange: unicodeRanges[subset], file });
      if (subset === "latin") latinFonts.push({ ...openedFont, weights });
    }
  return { font: { faces, fallbacks: createFallbackFaces(family, latinFonts) }, bytes: totalBytes };
}

/** Returns the parts into which to split a family's variable font; undefined if splitting doesn't make it smaller. */
async function chooseParts(
  family: string,
  sources: readonly FontSource[],
  unicodeRange: string,
): Promise<readonly FontPart[] | undefined> {
  const latinSource = sources.find(({ subset, label }) => subset === "latin" && label === "wght");
  if (!latinSource) return undefined;
  const file = await Bun.file(latinSource.path).bytes();
  const measureSize = async (part: FontPart) =>
    (await subsetFontPart(family, file, unicodeRange, part)).length;
  return (await measureSize(TEXT_PART)) < (await measureSize(latinSource)) ? FONT_PARTS : undefined;
}

/** Returns the folder of a family's package, preferably the one with a variable font. */
function getFontPackage(family: string): string {
  const variablePath = join(NODE_MODULES_DIR, "@fontsource-variable", toFamilySlug(family));
  return existsSync(variablePath)
    ? variablePath
    : join(NODE_MODULES_DIR, "@fontsource", toFamilySlug(family));
}

async function findSources(family: string, directory: string): Promise<FontSource[]> {
  const labels = directory.includes("@fontsource-variable")
    ? ["wght"]
    : await findStaticWeights(directory);
  return FONT_SUBSETS.flatMap((subset) =>
    labels.map((label) => ({
      subset,
      label,
      path: join(directory, "files", `${toFamilySlug(family)}-${subset}-${label}-normal.woff2`),
    })),
  );
}

async function findStaticWeights(directory: string): Promise<string[]> {
  const { weights } = await Bun.file(join(directory, "metadata.json")).json();
  const supportedWeights = new Set<number>(FONT_WEIGHTS);
  return weights.filter((weight: number) => supportedWeights.has(weight)).map(String);
}

function toFamilySlug(family: string): string {
  return family.toLowerCase().replaceAll(" ", "-");
}

function computeContentHash(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 8);
}

/**
 * The features that browsers apply by default (CSS Fonts 4 §7), and the figure features of our style sheets. `calt` is
 * left out: it adds details such as an arrow for "->", and takes a tenth of Inter's size.
 */
const FONT_FEATURES = [
  "ccmp",
  "clig",
  "kern",
  "liga",
  "lnum",
  "locl",
  "mark",
  "mkmk",
  "rclt",
  "rlig",
  "tnum",
];

/** The families used only in large sizes, at which hinting makes no visible difference. */
const DISPLAY_FAMILIES = ["Bebas Neue"];

/** Returns a part of a family as WOFF2, without unused features. `unicodeRange` has the characters to include. */
function subsetFontPart(
  family: string,
  file: Uint8Array,
  unicodeRange: string,
  { weights }: FontPart,
): Promise<Uint8Array> {
  return subsetFont(Buffer.from(file), expandUnicodeRange(unicodeRange), {
    targetFormat: "woff2",
    keepFeatures: FONT_FEATURES,
    noHinting: DISPLAY_FAMILIES.includes(family),
    ...(weights && { variationAxes: { wght: weights } }),
  });
}

/** Returns all characters of a CSS `unicode-range` without wildcards. */
function expandUnicodeRange(unicodeRange: string): string {
  return unicodeRange
    .split(",")
    .flatMap((part) => {
      const [first, last = first] = part
        .trim()
        .slice("U+".length)
        .split("-")
        .map((hex) => Number.parseInt(hex, 16)) as [number, number?];
      return Array.from({ length: last - first + 1 }, (_, index) =>
        String.fromCodePoint(first + index),
      );
    })
    .join("");
}

const LICENSE_TITLE =
  "This Font Software is licensed under the SIL Open Font License, Version 1.1.";

/**
 * Whether a modified file may have the family's name: the authors must not have reserved it (OFL §3), and the copyright
 * line must have the form of Google's catalog.
 */
async function hasNoReservedName(directory: string): Promise<boolean> {
  const text = await Bun.file(join(directory, "LICENSE")).text();
  const copyright = text.slice(0, text.indexOf(LICENSE_TITLE));
  return / Project Authors /.test(copyright) && !/reserved font name/i.test(copyright);
}

/** Returns the copyright lines of all packages and their common license. Rejects if a package has another license. */
async function collectFontLicenses(packages: string[]): Promise<string> {
  const texts = await Promise.all(
    packages.map(async (directory) => {
      const text = await Bun.file(join(directory, "LICENSE")).text();
      const titleIndex = text.indexOf(LICENSE_TITLE);
      if (titleIndex < 0)
        throw new Error(`${directory} is not under the SIL Open Font License 1.1.`);
      return { copyright: text.slice(0, titleIndex).trim(), license: text.slice(titleIndex) };
    }),
  );
  return [...texts.map(({ copyright }) => copyright), texts[0]?.license ?? ""].join("\n\n");
}
