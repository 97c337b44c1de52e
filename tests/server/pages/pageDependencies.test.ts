/** A page is rendered again when something that it shows has changed, and only then. */
import { expect, test } from "bun:test";
import type { Entity } from "../../../src/schema/entities/entity.ts";
import type { Fields } from "../../../src/schema/kinds/fields.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { pageRenderer } from "../../../src/server/pages/pageRenderer.ts";
import { pageDependencies } from "../../../src/server/pages/pageDependencies.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import type { Document } from "../../../src/server/storage/store.ts";
import { filledItem } from "../../support/filledItem.ts";
import { PHOTOGRAPH, picture } from "../../support/pictures.ts";
import { siteForAll, startSite } from "../../support/testSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";

const site = siteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));

const PATHS = ["/", "/coaching", "/privacy-policy", "/admin/login", "/not-found"];

async function renderer(now: () => Date = () => new Date()) {
  const own = { siteUrl: null, fontProvider: "/fonts", cleanHtml: (html: string) => html, now };
  return pageRenderer({ store: site.store, build: await loadWebBuild(), ...own });
}

test("what was read is compared with what would be read now, however often it was read", () => {
  const { read, areUnchanged } = pageDependencies();
  let [name, list]: [string | undefined, string[]] = ["Ada", ["a"]];
  expect([read(() => name), read(() => list)]).toEqual(["Ada", ["a"]]);
  list = ["a"];
  expect(areUnchanged()).toBe(true);
  name = undefined;
  expect(areUnchanged()).toBe(false);
  // In the middle of making something: the first reading was of an earlier state.
  expect([read(() => name), areUnchanged()]).toEqual([undefined, false]);
  name = "Ada";
  expect(areUnchanged()).toBe(false);
});

test("what couldn't be read, or can't be now, is never the same", () => {
  let isThere = false;
  const how = () => {
    if (!isThere) throw new Error("not there");
    return "there";
  };
  const failed = pageDependencies();
  expect(() => failed.read(how)).toThrow("not there");
  isThere = true;
  expect(failed.areUnchanged()).toBe(false);
  const { read, areUnchanged } = pageDependencies();
  expect([read(how), areUnchanged()]).toEqual(["there", true]);
  isThere = false;
  expect(areUnchanged()).toBe(false);
});

const shown = allEntities.filter(
  (entity) => entity.shape !== "records" && (entity.readers === "everyone" || isShell(entity)),
);

function isShell({ name }: Entity): boolean {
  return [entities.site, entities.uploads, entities.letterSettings].some(
    (entity) => entity.name === name,
  );
}

test.each(shown.map((entity) => [entity.name, entity] as const))(
  "after a change of %s no page says that it is the same and isn't",
  async (_, entity) => {
    const render = await renderer();
    const before = await Promise.all(PATHS.map((path) => render(path)));
    expect(before.map(({ isUnchanged: isStill }) => isStill!())).toEqual(PATHS.map(() => true));
    const handle = site.store.of(entity) as unknown as Document<any>;
    const { value } = handle.read();
    await handle.update(() => changed(entity, value));
    for (const [at, path] of PATHS.entries()) {
      const { html, policy } = await render(path);
      const isSame = html === before[at]!.html && policy === before[at]!.policy;
      if (!isSame) expect([path, before[at]!.isUnchanged!()]).toEqual([path, false]);
    }
    await handle.update(() => value);
    expect(before.map(({ isUnchanged: isStill }) => isStill!())).toEqual(PATHS.map(() => true));
  },
);

/** With other words in every text and every switch turned, or one item more. */
function changed(entity: Entity, value: any) {
  if (Array.isArray(value)) return [...value, filledItem(entity)];
  const texts = Object.entries(entity.fields as Fields).filter(
    ([, { kind }]) => kind.isCounted || kind.isHtml,
  );
  const flags = Object.entries(value).filter(([, set]) => typeof set === "boolean");
  return {
    ...value,
    ...Object.fromEntries(texts.map(([name]) => [name, "Something else"])),
    ...Object.fromEntries(flags.map(([name, set]) => [name, !set])),
  };
}

test("a picture that no page shows changes none, and is on the page once it is chosen", async () => {
  const owner = await site.loginAsOwner();
  const render = await renderer();
  const pages = await Promise.all(PATHS.map((path) => render(path)));
  const { url } = await uploadPicture(site, "photograph.jpg", await picture(PHOTOGRAPH));
  expect(pages.map(({ isUnchanged: isStill }) => isStill!())).toEqual(PATHS.map(() => true));
  await owner.post("/api/hero", { backgroundImage: url });
  expect(pages[0]!.isUnchanged!()).toBe(false);
  expect((await render("/")).html).toContain(url.replace(/\.\w+$/, ""));
});

test("another day is another page: the policy has its date", async () => {
  let now = new Date(2027, 4, 1, 12);
  const policy = await (await renderer(() => now))("/privacy-policy");
  expect(policy.isUnchanged!()).toBe(true);
  now = new Date(2027, 4, 2, 12);
  expect(policy.isUnchanged!()).toBe(false);
});
