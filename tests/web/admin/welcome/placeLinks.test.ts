/** What the welcome makes of a typed name or a pasted link (specification, section 2.7). */
import { expect, test } from "bun:test";
import { FINDING_PLACES, linkOf } from "../../../../src/web/admin/welcome/placeLinks.ts";

const instagram = FINDING_PLACES.find(({ key }) => key === "instagram")!;

test("a link with a lone % is accepted unchanged", () => {
  expect(linkOf(instagram, "instagram.com/nora%")).toEqual({
    ok: true,
    url: "https://instagram.com/nora%",
    displayText: "@nora%",
  });
});

test("an encoded name is shown decoded", () => {
  expect(linkOf(instagram, "https://www.instagram.com/n%C3%B3ra")).toMatchObject({
    displayText: "@nóra",
  });
});
