/**
 * Starts the browser's entry and the page's own code once the page is painted with its pictures, or at
 * the first touch: the page is whole without scripts, so its words, pictures and fonts share the line
 * with nothing. A page whose pictures never end, or a tab that nobody looks at, starts after three
 * seconds. Without the entry the page stays as it is.
 */
declare const ADDRESSES: readonly string[];

const LATEST = 3000;
/** Until the frame with the last picture has been shown. */
const SHOWN = 50;
const frame = requestAnimationFrame;

function start(): void {
  for (const address of ADDRESSES) import(address).catch(() => {});
}

addEventListener("load", () => frame(() => frame(() => setTimeout(start, SHOWN))));
for (const touch of ["pointerdown", "keydown", "scroll"])
  addEventListener(touch, start, { once: true, passive: true });
setTimeout(start, LATEST);
