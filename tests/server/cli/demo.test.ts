/** Sample content goes into a site in which nobody has written yet, and into no other. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { demo, isEmpty } from "../../../src/server/cli/demo.ts";
import { openSite } from "../../../src/server/cli/openSite.ts";
import { type Config, readConfig } from "../../../src/server/shared/config.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { databaseOf, newSiteFolder, removeFolder, type SiteFolder } from "../../support/program.ts";
import { subscriber } from "../../support/subscriber.ts";

let site: SiteFolder;
let config: Config;
beforeEach(async () => {
  site = await newSiteFolder();
  const folders = { DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir };
  ({ config } = readConfig([], { ...folders, ...databaseOf(site) }));
});
afterEach(() => removeFolder(site));

async function inSite<T>(work: (store: Store) => Promise<T> | T): Promise<T> {
  const { store, close } = await openSite(config, () => {});
  try {
    return await work(store);
  } finally {
    await close();
  }
}

test("a site whose owner has a name for it, and nothing else, is empty", async () => {
  const named = (store: Store) =>
    store.of(entities.site).update((value) => ({ ...value, name: "Ada" }));
  expect(await inSite((store) => named(store).then(() => isEmpty(store)))).toBe(true);
});

const WRITTEN: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "a hero": (store) => store.of(entities.hero).update((value) => ({ ...value, mainTitle: "Ada" })),
  "an address to write to": (store) =>
    store.of(entities.site).update((value) => ({ ...value, contactEmail: "ada@example.com" })),
  "a subscriber": (store) =>
    store.of(entities.emailSubscriptions).insert(subscriber("ann@example.com")),
};

test.each(Object.entries(WRITTEN))(
  "one with %s is refused and stays as it is",
  async (_, write) => {
    const kept = async (store: Store) => [
      store.of(entities.hero).read(),
      store.of(entities.site).read(),
      await store.of(entities.emailSubscriptions).count(),
    ];
    const before = await inSite((store) => write(store).then(() => kept(store)));
    await expect(demo.run(config, [], new Map())).rejects.toThrow("This site already has content.");
    expect(await inSite(kept)).toEqual(before);
  },
);
