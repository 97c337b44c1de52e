/** Draws SVG without a browser, by resvg (decision 901). */
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvg from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import pLimit from "p-limit";

/** A picture takes some tens of megabytes while it is drawn. */
const oneAtOnce = pLimit(1);

/**
 * A PNG at the size that the SVG names. It reads no files, asks no addresses and knows no fonts: pictures stand in it
 * as data addresses, words as outlines. Rejects what is no SVG.
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

let loading: Promise<void> | undefined;

/** Most starts draw nothing, so it is loaded by the first picture. */
const loaded = () => (loading ??= Bun.file(resvg).bytes().then(initWasm));

/** A picture as the address by which an SVG holds it. */
export const dataAddress = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
