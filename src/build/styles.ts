/** Builds a style sheet: Pico as it is packaged, then our own, minified. */
import { basename, join } from "node:path";

const PICO = "node_modules/@picocss/pico/css/pico.min.css";

/** Concatenates Pico with the bundled sheets (bundling Pico makes it larger); answers the address. */
export async function buildStyles(sheets: string[], outdir: string): Promise<string> {
  const result = await Bun.build({ entrypoints: sheets, minify: true, target: "browser" });
  const own = await Promise.all(result.outputs.map((output) => output.text()));
  const css = [await Bun.file(PICO).text(), ...own].join("\n").replace(/^@charset[^;]+;/, "");
  const hash = Bun.hash(css).toString(36).slice(0, 8);
  const name = `${basename(sheets[0]!, ".css")}-${hash}.css`;
  await Bun.write(join(outdir, name), css);
  return `/assets/${name}`;
}
