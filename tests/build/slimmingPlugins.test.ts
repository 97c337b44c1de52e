/** Browsers run what the types promise: no export that compiles is missing from their scripts. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { SLIMMING_PLUGINS } from "../../src/build/slimmingPlugins.ts";
import { EXTRAS } from "../../src/schema/sections/extras.ts";
import { FRESHNESS_MS } from "../../src/schema/api/freshness.ts";
import { entities, type Entity } from "../../src/schema/index.ts";
import { en } from "../../src/web/words/en.ts";

const ENTRY = "\0bundled";

/** Returns the exports of `code`, bundled as for a browser. */
async function importBundled<T>(code: string): Promise<T> {
  const bundle = await rolldown({
    input: ENTRY,
    platform: "browser",
    logLevel: "silent",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [
      ...SLIMMING_PLUGINS,
      {
        name: "entry",
        resolveId: (id) => {
          if (id === ENTRY) return ENTRY;
          return id.startsWith("src/") ? join(process.cwd(), id) : null;
        },
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), "bundled-"));
  try {
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "entry.mjs" });
    return (await import(join(folder, "entry.mjs"))) as T;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const toJsonData = (declared: unknown) => JSON.parse(JSON.stringify(declared));

test("the bundled scripts contain the whole declaration of every entity, extra and text", async () => {
  const browsers = await importBundled<Record<string, unknown>>(`
    export { entities } from "src/schema/index.ts";
    export { EXTRAS } from "src/schema/sections/extras.ts";
    export { FRESHNESS_MS } from "src/schema/api/freshness.ts";
    export { en } from "src/web/words/en.ts";
  `);
  const declared = Object.values<Entity>(entities);
  expect(declared.length).toBeGreaterThan(40);
  expect(toJsonData(browsers["entities"])).toEqual(toJsonData(entities));
  expect(toJsonData(browsers["EXTRAS"])).toEqual(toJsonData(EXTRAS));
  expect(browsers["FRESHNESS_MS"]).toEqual(FRESHNESS_MS);
  expect(toJsonData(browsers["en"])).toEqual(toJsonData(en));
});
