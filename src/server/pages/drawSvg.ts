/** Renders SVG without a browser, using resvg (decision 34), in a worker: a picture takes 150 ms. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";

/** Rendering takes tens of megabytes per picture. */
const limitConcurrency = pLimit(1);

/**
 * A PNG in the SVG's own size. No files, URLs or fonts are loaded: pictures are embedded as data URLs, words as
 * outlines. Rejects invalid SVG.
 */
export const drawSvg = (svg: string): Promise<Uint8Array<ArrayBuffer>> =>
  limitConcurrency(async () => {
    worker ??= new Worker(WORKER_PATH);
    try {
      return await drawInWorker(worker, svg);
    } catch (error) {
      // It may be one that couldn't load, so the next picture starts another.
      await worker.terminate();
      worker = undefined;
      throw error;
    }
  });

/** Started with the first picture, since most runs draw none. Ending it would give no memory back. */
let worker: Worker | undefined;

/** `src/build/executable.ts` compiles it as an entry point of its own. */
const WORKER_PATH = Bun.isStandaloneExecutable
  ? join(import.meta.dir, "server", "pages", "svgWorker.js")
  : join(import.meta.dir, "svgWorker.ts");

function drawInWorker(by: Worker, svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  by.once("message", (drawn: Uint8Array<ArrayBuffer> | string) =>
    typeof drawn === "string" ? reject(new Error(drawn)) : resolve(drawn),
  );
  by.once("error", reject);
  by.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has one recipient.
  by.postMessage(svg);
  return promise.finally(() => {
    by.off("error", reject);
    // While it waits for the next picture, it prevents no command from ending.
    by.unref();
  });
}

/** A picture as a data URL, for embedding in an SVG. */
export const dataUrl = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
