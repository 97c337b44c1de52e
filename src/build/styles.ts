/** Builds a style sheet: Pico in a layer of its own, then our rules, which win over it; minified. */
import { basename, join } from "node:path";
import { picoParts } from "./picoParts.ts";

const PICO = "node_modules/@picocss/pico/css/pico.min.css";

/** `:is()` for browsers of 2020: it triples rules and weighs more than `:is()` in the cascade. */
const OLD_ANY = /[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g;

/**
 * Puts what is shown of Pico before a bundled sheet (bundling Pico makes it larger), without what the
 * patterns `absent` name; answers the address.
 */
export async function buildStyles(
  sheet: string,
  outdir: string,
  absent: readonly RegExp[] = [],
): Promise<string> {
  const result = await Bun.build({ entrypoints: [sheet], minify: true, target: "browser" });
  const bundled = (await Promise.all(result.outputs.map((output) => output.text()))).join("\n");
  const own = bundled.replace(OLD_ANY, "");
  const pico = await Bun.file(PICO).text();
  const css = `@layer pico{${picoParts(pico, own, absent)}}\n${own}`;
  const name = `${basename(sheet, ".css")}-${Bun.hash(css).toString(36).slice(0, 8)}.css`;
  await Bun.write(join(outdir, name), css);
  return `/assets/${name}`;
}
