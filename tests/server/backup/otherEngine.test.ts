/** A backup of a site in files restores into PostgreSQL, and one made there restores into files. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { parseDatabaseUrl } from "../../../src/server/shared/databaseUrl.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { createPostgresEngine } from "../../../src/server/storage/postgres/postgresEngine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { hasPostgres, setUpPostgres } from "../../support/postgres.ts";
import {
  createSiteFolder,
  removeSiteFolder,
  runProgram,
  type SiteFolder,
  startProgram,
} from "../../support/program.ts";
import { subscribeAll } from "../../support/subscribers.ts";
import { hashResponses } from "./hashResponses.ts";

setDefaultTimeout(180_000);

type Env = Record<string, string>;

const PATHS = [
  "/",
  "/coaching",
  "/privacy-policy",
  ..."hero styles history/hero uploads bin email-subscriptions"
    .split(" ")
    .map((at) => `/api/${at}`),
];

describe.if(hasPostgres)("an archive", () => {
  const postgres = setUpPostgres();
  const folders: SiteFolder[] = [];
  const createFolder = async (options?: { sample: boolean }) => {
    const folder = await createSiteFolder(options);
    folders.push(folder);
    return folder;
  };
  afterAll(() => Promise.all(folders.map(removeSiteFolder)));

  /**
   * Serves the site and returns every response for a visitor and for the owner, before `change` and, if there is one,
   * after it.
   */
  async function serveSite(folder: SiteFolder, env: Env, change?: string, owner = false) {
    const site = await startProgram({
      folder: folder.folder,
      hasOwner: owner,
      env: { RATE_LIMIT: "off", ...env },
    });
    const before = await readResponses(site.url, (await site.owner()).cookies());
    if (!change) return site.stop().then(() => ({ before, after: {} }));
    await site.asOwner("POST", "/api/hero", { mainTitle: change });
    await subscribeAll(site, [{ email: `${change.toLowerCase()}@example.com` }]);
    const after = await readResponses(site.url, (await site.owner()).cookies());
    await site.stop();
    return { before, after };
  }

  const readResponses = async (url: string, cookie: string) => {
    const pictures = Object.keys(await (await fetch(`${url}/api/pictures`)).json());
    expect(pictures.length).toBeGreaterThan(3);
    return hashResponses(url, [...PATHS, ...pictures], cookie);
  };

  /** Backs up with one engine's settings and restores with the other's, as docs/scaling.md says. */
  async function moveSite(from: SiteFolder, fromEnv: Env, to: SiteFolder, toEnv: Env) {
    const archive = join(from.folder, "site.tar.gz");
    expect(await runProgram(from, ["backup", archive], "", fromEnv)).toMatchObject({ code: 0 });
    expect(await runProgram(to, ["restore", archive], "", toEnv)).toMatchObject({ code: 0 });
  }

  test("takes a site from files into PostgreSQL and back, and every response is the same", async () => {
    const [home, databaseFolder, back] = [
      await createFolder({ sample: true }),
      await createFolder(),
      await createFolder(),
    ];
    const database = { DATABASE_URL: postgres.createUrl() };
    const first = await serveSite(home, {}, "First", true);
    await moveSite(home, {}, databaseFolder, database);
    const second = await serveSite(databaseFolder, database, "Second");
    expect(second.before).toEqual(first.after);
    await moveSite(databaseFolder, database, back, {});
    const third = await serveSite(back, {});
    expect(third.before).toEqual(second.after);
  });

  test("moves outgoing messages from files into PostgreSQL and back, and each stays waiting, sent or failed", async () => {
    const sites = [await createFolder(), await createFolder(), await createFolder()].map(
      (folder, at) => ({
        data:
          at % 2 === 0
            ? createFolderEngine(folder.dataDir)
            : createPostgresEngine(parseDatabaseUrl(postgres.createUrl()), folder.dataDir),
        uploads: createFolderStorage(folder.uploadsDir),
      }),
    );
    const opened = async <R>(data: Engine, work: (store: Store) => Promise<R>) => {
      const store = await data.open({ entities: allEntities, log: () => {} });
      return work(store).finally(() => store.close());
    };
    const messagesOf = (data: Engine) =>
      opened(data, (store) => Array.fromAsync(store.of(entities.outbox).scan()));
    const [first] = sites;
    await first!.uploads.prepare();
    await opened(first!.data, async (store) => {
      for (const state of ["waiting", "sent", "failed"] as const)
        await store.of(entities.outbox).insert({
          ...getInitialValues(entities.outbox.fields),
          id: Bun.randomUUIDv7(),
          to: "ann@example.com",
          subject: state,
          state,
        });
    });
    const before = await messagesOf(first!.data);
    expect(before.map(({ state }) => state)).toEqual(["waiting", "sent", "failed"]);
    for (const [at, source] of sites.entries()) {
      const next = sites[at + 1];
      if (!next) break;
      const archive = join(folders.at(-1)!.folder, `${at}.tar.gz`);
      await saveArchive(archive, source);
      await restoreArchive(archive, next);
      expect([at, await messagesOf(next.data)]).toEqual([at, before]);
    }
  });
});
