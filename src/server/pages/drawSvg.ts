/** Renders SVG with resvg, without a browser (decision 34). A worker does this, since a picture takes 150 ms. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";

/** The queue of pictures. Only one is drawn at a time, since rendering takes tens of megabytes. */
const drawQueue = pLimit(1);

/**
 * Renders SVG as a PNG of the same size. No files, URLs or fonts are loaded: the SVG must contain pictures as data URLs
 * and text as outlines. Rejects if the SVG is invalid.
 */
export const drawSvg = (svg: string): Promise<Uint8Array<ArrayBuffer>> =>
  drawQueue(async () => {
    worker ??= new Worker(WORKER_PATH);
    try {
      return await drawInWorker(worker, svg);
    } catch (error) {
      // The worker may have failed to load, so a new worker is started for the next picture.
      await worker.terminate();
      worker = undefined;
      throw error;
    }
  });

/** The worker, started for the first picture, since most runs draw none. It isn't ended, as that frees no memory. */
let worker: Worker | undefined;

/** The worker's file, which `src/build/executable.ts` compiles as a separate entry point. */
const WORKER_PATH = Bun.isStandaloneExecutable
  ? join(import.meta.dir, "server", "pages", "svgWorker.js")
  : join(import.meta.dir, "svgWorker.ts");

function drawInWorker(svgWorker: Worker, svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  svgWorker.once("message", (result: Uint8Array<ArrayBuffer> | string) =>
    typeof result === "string" ? reject(new Error(result)) : resolve(result),
  );
  svgWorker.once("error", reject);
  svgWorker.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has one recipient.
  svgWorker.postMessage(svg);
  return promise.finally(() => {
    svgWorker.off("error", reject);
    // A waiting worker must not keep the process alive.
    svgWorker.unref();
  });
}

export const createDataUrl = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
