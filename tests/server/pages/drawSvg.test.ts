/** What draws SVG is loaded with the first picture. */
import { expect, test } from "bun:test";
import { loadedOnce } from "../../../src/server/pages/drawSvg.ts";

test("where it can't be loaded, the next picture loads it, and no further one does", async () => {
  let loads = 0;
  const loaded = loadedOnce(async () => {
    if (++loads === 1) throw new Error("EMFILE: too many open files");
  });
  // Two at once wait for the same.
  const both = await Promise.allSettled([loaded(), loaded()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(loads).toBe(1);
  await loaded();
  await Promise.all([loaded(), loaded()]);
  expect(loads).toBe(2);
});
