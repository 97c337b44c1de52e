/** The worker that shrinks pictures off the main thread. The build writes it to a separate file. */
import { shrinkPicture } from "./shrinkPicture.ts";

/** A message to the worker, which responds with the result of `shrinkPicture`. */
export interface ShrinkRequest {
  readonly picture: Blob;
  readonly canReturnOriginal: boolean;
}

const createCanvas = (width: number, height: number) => new OffscreenCanvas(width, height);

self.addEventListener("message", async ({ data }: MessageEvent<ShrinkRequest>) => {
  const { picture, canReturnOriginal } = data;
  const shrunk = await shrinkPicture(picture, canReturnOriginal, createCanvas).catch(
    () => undefined,
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has one recipient.
  self.postMessage(shrunk);
});
