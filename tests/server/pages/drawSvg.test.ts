/** SVG is drawn outside the main thread, which responds to requests. */
import { expect, test } from "bun:test";
import { drawSvg } from "../../../src/server/pages/drawSvg.ts";

const createSvg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">${content}</svg>`;

test("drawing a large SVG blocks the main thread for less than 50 ms", async () => {
  await drawSvg(createSvg("<rect/>"));
  const beams = Array.from(
    { length: 40 },
    (_, at) => `<path fill-opacity="0.1" d="M${at} 0H1200L${at * 15} 630H0Z"/>`,
  );
  const before = process.threadCpuUsage();
  const png = await drawSvg(createSvg(beams.join("")));
  const { user, system } = process.threadCpuUsage(before);
  expect(await new Bun.Image(png).metadata()).toMatchObject({ width: 1200, height: 630 });
  expect((user + system) / 1000).toBeLessThan(50);
});

test("an SVG that can't be drawn is rejected, and the next one is drawn", async () => {
  const both = await Promise.allSettled([drawSvg("<svg"), drawSvg(createSvg(""))]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
