/** What draws SVG is loaded with the first picture. */
import { expect, spyOn, test } from "bun:test";
import { drawSvg } from "../../../src/server/pages/drawSvg.ts";

test("where it can't be loaded, the next picture loads it", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
  const missing = Bun.file("/nowhere/resvg.wasm");
  const file = spyOn(Bun, "file").mockReturnValueOnce(missing);
  try {
    await expect(drawSvg(svg)).rejects.toThrow("ENOENT");
    expect((await drawSvg(svg)).subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));
  } finally {
    file.mockRestore();
  }
});
