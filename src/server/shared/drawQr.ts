/** Draws QR codes. */
import type { DrawnQr } from "../../schema/api/drawnQr.ts";

/** Returns a QR code as an SVG path, with its size in modules. */
export async function drawQr(content: string): Promise<DrawnQr> {
  const { encode } = await import("uqr");
  const { data, size } = encode(content, { border: 4 });
  let path = "";
  for (const [y, row] of data.entries())
    for (let x = 0; x < size; x++) {
      if (!row[x] || row[x - 1]) continue;
      let end = x;
      while (row[end]) end++;
      path += `M${x} ${y}h${end - x}v1H${x}z`;
    }
  return { size, path };
}
