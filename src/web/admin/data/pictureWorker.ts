/** The worker that shrinks pictures while the page stays free; the build makes a file of its own of it. */
import { shrinkPicture } from "./shrinkPicture.ts";

/** What the page asks for; the response is what `shrinkPicture` returns. */
export interface ShrinkRequest {
  readonly picture: Blob;
  readonly mayStay: boolean;
}

const newCanvas = (width: number, height: number) => new OffscreenCanvas(width, height);

self.addEventListener("message", async ({ data }: MessageEvent<ShrinkRequest>) => {
  const { picture, mayStay } = data;
  const shrunk = await shrinkPicture(picture, mayStay, newCanvas).catch(() => undefined);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has but one to answer.
  self.postMessage(shrunk);
});
