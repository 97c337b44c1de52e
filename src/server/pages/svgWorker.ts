/** The worker of `drawSvg.ts`: posts the PNG of each SVG that it gets, or the reason for a failure as text. */
import { parentPort } from "node:worker_threads";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvgWasmPath from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };

let loadingRenderer: Promise<void> | undefined;

parentPort?.on("message", async (svg: string) => {
  try {
    await (loadingRenderer ??= Bun.file(resvgWasmPath).bytes().then(initWasm));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has one recipient.
    parentPort?.postMessage(renderPng(svg));
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has one recipient.
    parentPort?.postMessage(String(error));
  }
});

function renderPng(svg: string): Uint8Array {
  const renderer = new Resvg(svg, { font: { loadSystemFonts: false } });
  const image = renderer.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    renderer.free();
  }
}
