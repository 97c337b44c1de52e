/** QR codes as SVG paths. */

/** A path for an SVG with a square view box of `size`, quiet zone included. */
interface DrawnQr {
  readonly size: number;
  readonly path: string;
}

export async function drawnQr(content: string): Promise<DrawnQr> {
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
