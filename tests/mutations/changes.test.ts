/**
 * The changes that tests have to notice can still be made: the text that each replaces exists, and so do its tests.
 */
import { expect, test } from "bun:test";
import { OF_THE_DASHBOARD } from "./ofTheDashboard.ts";
import { OF_THE_SERVER } from "./ofTheServer.ts";

test.each([...OF_THE_SERVER, ...OF_THE_DASHBOARD])(
  "$breaks: the text to change occurs once in $file",
  async ({ file, text, noticed }) => {
    expect((await Bun.file(`src/${file}`).text()).split(text)).toHaveLength(2);
    for (const each of noticed)
      expect([each, await Bun.file(`tests/${each}`).exists()]).toEqual([each, true]);
  },
);
