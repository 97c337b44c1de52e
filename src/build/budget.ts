/** Size limits of the build, which fails when a file or a program exceeds its limit. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Size limits in bytes. */
export interface Budget {
  /** The limits of files compressed with Brotli, by prefix of the file name; `other` is any other file's limit. */
  readonly files: Readonly<Record<string, number>>;
  readonly other: number;
  readonly program: number;
}

/** The limits of browser downloads in compressed bytes. `code` is HTML, scripts and styles. */
export const DOWNLOAD_LIMITS_BYTES = {
  /** A public page before the visitor's first input. */
  page: { code: 40_000, font: 45_000 },
  /** The inline scripts of a page, by its path. */
  scripts: { "/": 5500, "/coaching": 4200, "/privacy-policy": 2400 },
  /** Pages with all extras and sample content. */
  withExtras: { code: 48_000, scripts: 6000 },
  enquiryForm: { script: 75_350 },
  /** Login and dashboard. */
  dashboard: { code: 181_000 },
} as const;

/** The limits are just above the current sizes, so that growth fails the build. A commit that raises one says why. */
const SIZE_BUDGET_BYTES: Budget = {
  files: {
    // Files for visitors: before the first input, and for the enquiry form.
    "site-": 13_560,
    "extra-": 1500,
    "entry-enquiry-": 75_350,
    "countrySearch-": 50_000,
    "entry-owner-": 155_500,
    "RichTextField-": 115_300,
    "phone-": 26_000,
  },
  other: 15_000,
  program: 141_500_000,
};

/** Throws with the names of files in `<web>/assets` that are too large. */
export async function checkWebSize(
  web: string,
  { files, other }: Budget = SIZE_BUDGET_BYTES,
): Promise<void> {
  const folder = join(web, "assets");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".br"));
  // A limit whose prefix matches no file is outdated.
  for (const prefix of Object.keys(files))
    if (!names.some((name) => name.startsWith(prefix)))
      throw new Error(`${prefix}… no longer exists. Remove its limit from src/build/budget.ts.`);
  const findLimit = (name: string) =>
    Object.entries(files).find(([prefix]) => name.startsWith(prefix))?.[1] ?? other;
  checkSizes(
    names.map((name) => ({
      name,
      size: Bun.file(join(folder, name)).size,
      limit: findLimit(name),
    })),
  );
}

export function checkProgramSize(path: string, { program }: Budget = SIZE_BUDGET_BYTES): void {
  checkSizes([{ name: path, size: Bun.file(path).size, limit: program }]);
}

function checkSizes(files: readonly { name: string; size: number; limit: number }[]): void {
  const oversizedFiles = files.filter(({ size, limit }) => size > limit);
  if (oversizedFiles.length === 0) return;
  const lines = oversizedFiles.map(
    ({ name, size, limit }) => `${name}: ${size} bytes, at most ${limit}`,
  );
  throw new Error(
    `The build has outgrown its limits (src/build/budget.ts):\n${lines.join("\n")}\nMake it smaller, or raise the limit and say why.`,
  );
}
