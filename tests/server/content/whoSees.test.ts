/** Each role's view of content that is hidden from visitors (specification, section 6.1). */
import { expect, test } from "bun:test";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite());

test("an editor gets hidden coaching packages but a reader doesn't, and both get inactive forms", async () => {
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  const made = await site.asOwner("POST", "/api/packages", { title: "A draft", isActive: false });
  await site.asOwner("POST", "/api/forms", { name: "Inner", title: "Outer", isActive: false });
  const shown = { title: "Outer two", name: "Inner two" };
  await site.asOwner("POST", "/api/forms", shown);
  const [reader, editor] = [await site.logInAs("reader"), await site.logInAs("editor")];
  const idsFor = async (caller: typeof reader) =>
    ((await caller.get("/api/packages")).body as { id: string }[]).map(({ id }) => id);
  expect(await idsFor(editor)).toContain(made.id);
  expect(await idsFor(reader)).not.toContain(made.id);
  for (const caller of [reader, editor])
    expect((await caller.get("/api/forms")).body).toContainEqual(
      expect.objectContaining({ name: "Inner", title: "Outer" }),
    );
  const { text } = await site.visitor().get("/api/forms");
  expect(text).toContain("Outer two");
  expect(text).not.toContain("Inner");
});
