/** Draws pictures with a head, which text must not cover. */
import { encode } from "fast-png";

/** `focus` is the position of the head, in percent of the picture's width and height. */
export interface DrawnPortrait {
  readonly width: number;
  readonly height: number;
  readonly focus: { readonly x: number; readonly y: number };
  readonly isLight: boolean;
}

/** Returns a PNG of a ground lit from one side, a body, and a head whose height is a quarter of the shorter side. */
export function drawPortrait({ width, height, focus, isLight }: DrawnPortrait) {
  const data = new Uint8Array(width * height * 3);
  const [x0, y0] = [(focus.x / 100) * width, (focus.y / 100) * height];
  const head = Math.min(width, height) / 8;
  const ground = isLight ? 236 : 34;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const isHead = Math.hypot((x - x0) / 0.8, y - y0) < head;
      const isBody = y > y0 + head && Math.abs(x - x0) < head * 1.7;
      const lit = ground + Math.round((18 * x) / width);
      const color = isHead ? [224, 172, 138] : isBody ? [70, 58, 92] : [lit, lit, lit];
      data.set(color, 3 * (y * width + x));
    }
  return new Uint8Array(encode({ width, height, data, channels: 3 }, { zlib: { level: 1 } }));
}
