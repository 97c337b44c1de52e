/** The parts of a tagline that are shown beside the title and the subtitle. */
import { expect, test } from "bun:test";
import { findVisibleTaglineParts } from "../../src/schema/sections/tagline.ts";

test.each([
  ["Performer & stage coach", "Performer • Stage coach", []],
  ["Performer and Coach", "performer • Coach • Dreamboy", ["Dreamboy"]],
  ["Performer, coach", "Performer & coach • Leeds", ["Leeds"]],
  ["Ada Quinn", "Performer • Ada Quinn", ["Performer"]],
  ["A coach for bands", "Coach • Bands", ["Coach", "Bands"]],
  ["Singer", "Singer-songwriter • Landlady", ["Singer-songwriter", "Landlady"]],
])("Under the title %p the tagline %p is shown as %p.", (subtitle, tagline, shown) => {
  expect(findVisibleTaglineParts({ mainTitle: "Ada Quinn", subtitle, tagline })).toEqual(shown);
});
