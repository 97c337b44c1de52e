/** Renders SVG without a browser, using resvg (decision 34). */
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvg from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import pLimit from "p-limit";

/** Rendering takes tens of megabytes per picture. */
const oneAtOnce = pLimit(1);

/**
 * A PNG in the SVG's own size. No files, URLs or fonts are loaded: pictures are embedded as data URLs, words as
 * outlines. Rejects invalid SVG.
 */
export const drawSvg = (svg: string): Promise<Uint8Array<ArrayBuffer>> =>
  oneAtOnce(async () => {
    await loaded();
    const drawing = new Resvg(svg, { font: { loadSystemFonts: false } });
    const image = drawing.render();
    try {
      return new Uint8Array(image.asPng());
    } finally {
      image.free();
      drawing.free();
    }
  });

/** Loads once; a failure isn't kept, so the next caller tries again. */
export function loadedOnce(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined;
  return () =>
    (loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    }));
}

/** Loaded with the first picture, since most runs draw none. */
const loaded = loadedOnce(async () => initWasm(await Bun.file(resvg).bytes()));

/** A picture as a data URL, for embedding in an SVG. */
export const dataAddress = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
