/** The excerpts of two edits of one field show their difference (specification, section 4.6). */
import { expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { formatVersions } from "../../../../src/web/admin/frame/ConflictDialog.tsx";

const { content, title } = entities.about.fields;

test("two versions of rich text are compared as plain text with the URLs of links and pictures", () => {
  expect(
    formatVersions(
      content,
      '<p>Rock &amp; Roll</p><p>See <a href="https://one.example">this</a></p>',
      '<p>Rock &amp; Roll</p><p>See <a href="https://two.example">this</a></p>',
    ),
  ).toEqual({
    otherText: "Rock & Roll See this (https://one.example)",
    editedText: "Rock & Roll See this (https://two.example)",
    note: undefined,
  });
  const picture = (src: string) => `<p><img src="/uploads/${src}" alt="A stage"></p>`;
  expect(formatVersions(content, picture("a.webp"), picture("b.webp"))).toMatchObject({
    otherText: "(Image: A stage, /uploads/a.webp)",
    editedText: "(Image: A stage, /uploads/b.webp)",
  });
});

test("two versions that differ only in their formatting get a note that says so", () => {
  expect(formatVersions(content, "<p>Come <b>soon</b></p>", "<p>Come soon</p>")).toEqual({
    otherText: "Come soon",
    editedText: "Come soon",
    note: "Only the formatting is different.",
  });
});

test("a comparison shows plain text as it was typed, and a missing value as (empty)", () => {
  expect(formatVersions(title, null, "Rock &amp; <b>Roll</b>")).toEqual({
    otherText: "(empty)",
    editedText: "Rock &amp; <b>Roll</b>",
    note: undefined,
  });
});
