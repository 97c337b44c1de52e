/** Builds a style sheet: Pico in a layer of its own, then our rules, which win over it; minified. */
import { basename, join } from "node:path";
import { picoParts } from "./picoParts.ts";

const PICO = "node_modules/@picocss/pico/css/pico.min.css";

/**
 * Puts Pico before a bundled sheet (bundling Pico makes it larger); answers the address. The public
 * site gets the parts of Pico that it shows, the dashboard the whole.
 */
export async function buildStyles(
  sheet: string,
  outdir: string,
  { wholePico = false } = {},
): Promise<string> {
  const result = await Bun.build({ entrypoints: [sheet], minify: true, target: "browser" });
  const own = (await Promise.all(result.outputs.map((output) => output.text()))).join("\n");
  const pico = await Bun.file(PICO).text();
  const shown = wholePico ? pico.replace(/^@charset[^;]+;/, "") : picoParts(pico, own);
  const css = `@layer pico{${shown}}\n${own}`;
  const name = `${basename(sheet, ".css")}-${Bun.hash(css).toString(36).slice(0, 8)}.css`;
  await Bun.write(join(outdir, name), css);
  return `/assets/${name}`;
}
