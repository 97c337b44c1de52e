/** Sample content is added only to a site without content. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { entities } from "../../../src/schema/index.ts";
import { demoCommand, isSiteEmpty } from "../../../src/server/cli/demo.ts";
import { openSite } from "../../../src/server/cli/openSite.ts";
import { type Config, readConfig } from "../../../src/server/shared/config.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import {
  createDatabaseEnv,
  createSiteFolder,
  getProgramPath,
  removeSiteFolder,
  type SiteFolder,
} from "../../support/program.ts";
import { createSubscriber } from "../../support/subscribers.ts";

let site: SiteFolder;
let config: Config;
beforeEach(async () => {
  site = await createSiteFolder();
  const folders = { DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir };
  ({ config } = readConfig([], { ...folders, ...createDatabaseEnv(site) }));
});
afterEach(() => removeSiteFolder(site));

async function withStore<T>(work: (store: Store) => Promise<T> | T): Promise<T> {
  const { store, close } = await openSite(config, () => {});
  try {
    return await work(store);
  } finally {
    await close();
  }
}

test("a site that has only a name counts as empty for limelight demo", async () => {
  const named = (store: Store) =>
    store.of(entities.site).update((value) => ({ ...value, name: "Ada" }));
  expect(await withStore((store) => named(store).then(() => isSiteEmpty(store)))).toBe(true);
});

const WRITES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "a hero": (store) => store.of(entities.hero).update((value) => ({ ...value, mainTitle: "Ada" })),
  "an address to write to": (store) =>
    store.of(entities.site).update((value) => ({ ...value, contactEmail: "ada@example.com" })),
  "a subscriber": (store) =>
    store.of(entities.emailSubscriptions).insert(createSubscriber("ann@example.com")),
};

test.each(Object.entries(WRITES))(
  "limelight demo --fill refuses a site with %s, which stays unchanged",
  async (_, write) => {
    const readContent = async (store: Store) => [
      store.of(entities.hero).read(),
      store.of(entities.site).read(),
      await store.of(entities.emailSubscriptions).count(),
    ];
    const before = await withStore((store) => write(store).then(() => readContent(store)));
    await expect(demoCommand.run(config, [], new Map([["--fill", ""]]))).rejects.toThrow(
      "This site already has content",
    );
    expect(await withStore(readContent)).toEqual(before);
  },
);

/** Runs `limelight demo` in the site's folder until `work` is done with its log. */
async function withDemo<T>(
  env: Record<string, string>,
  work: (readLog: () => string) => Promise<T>,
) {
  const log = `${site.folder}/log`;
  writeFileSync(log, "");
  const child = Bun.spawn([getProgramPath(), "demo", "--port", "0"], {
    cwd: site.folder,
    env: { PATH: process.env["PATH"]!, ...env },
    stdout: Bun.file(log),
    stderr: Bun.file(log),
  });
  const readLog = () => readFileSync(log, "utf8");
  try {
    // As long as the test may take: a busy machine needs minutes for the pictures of the sample site.
    while (child.exitCode === null && !readLog().includes("Log in at ")) await Bun.sleep(50); // oxlint-disable-line no-await-in-loop
    return await work(readLog);
  } finally {
    child.kill();
    await child.exited;
  }
}

const NO_SETTINGS: Record<string, string> = {};
const LOGIN = /^Log in at (\S+)\/admin as "(\w+)" with the password "(\w{16})"$/m;

test("limelight demo serves a filled site from a separate folder and prints its login, whatever the site's settings say", async () => {
  const passwords = new Set<string>();
  const settings = { SITE_URL: "https://www.example.com", DOMAIN: "www.example.com" };
  for (const env of [NO_SETTINGS, settings])
    await withDemo(env, async (readLog) => {
      const [, url, username, password] = LOGIN.exec(readLog()) ?? [];
      passwords.add(password!);
      expect(await (await fetch(url!)).text()).toContain("/uploads/");
      const login = await fetch(`${url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url! },
        body: JSON.stringify({ username, password }),
      });
      expect([readLog(), login.status]).toEqual([readLog(), 200]);
      expect(readLog()).not.toContain("setup#token");
    });
  expect(passwords.size).toBe(2);
  expect((await readdir(site.folder)).toSorted()).toEqual(["limelight-demo", "log"]);
}, 240_000);
