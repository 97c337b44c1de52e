/**
 * The changes that tests have to notice can still be made: the text that each replaces exists, and so do its tests.
 */
import { expect, test } from "bun:test";
import { DASHBOARD_MUTATIONS } from "./ofTheDashboard.ts";
import { SERVER_MUTATIONS } from "./ofTheServer.ts";

test.each([...SERVER_MUTATIONS, ...DASHBOARD_MUTATIONS])(
  "$breaks: the text to change occurs once in $file",
  async ({ file, text, noticed }) => {
    expect((await Bun.file(`src/${file}`).text()).split(text)).toHaveLength(2);
    for (const each of noticed)
      expect([each, await Bun.file(`tests/${each}`).exists()]).toEqual([each, true]);
  },
);
