/** A page whose content can't be read (specification, section 8.2). */
import { expect, test } from "bun:test";
import type { ContentSource } from "../../src/web/shared/content.ts";
import { loadPage } from "../../src/web/siteRoutes.tsx";

/** Only the texts of "About" exist. */
const about = { heading: "ABOUT" };
const source: ContentSource = {
  read: async (key) => {
    if (key !== "about") throw new Error("The disk is gone.");
    return about as never;
  },
  readPictures: async () => {
    throw new Error("The disk is gone.");
  },
};

test("content that can't be read is replaced by defaults, or its section is hidden", async () => {
  const { content, pictures } = await loadPage(
    source,
    ["about", "hero", "highlights"],
    "Jonah Vale",
  );
  expect(content.about as unknown).toBe(about);
  expect(content.hero).toMatchObject({ mainTitle: "Jonah Vale", subtitle: "Jonah Vale" });
  expect(content.hero?.tagline).toContain("Dreamboy");
  expect(content.highlights).toBeUndefined();
  expect(pictures).toEqual({});
});
