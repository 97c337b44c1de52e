/** One restore for files and PostgreSQL: wherever it is interrupted, the site is as before or as in the archive. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { examineSite } from "../../../src/server/backup/siteChecks.ts";
import { finishRestore, restoreArchive, stageRestore } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import type { SiteStorage } from "../../../src/server/backup/writeArchive.ts";
import { parseDatabaseUrl } from "../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../src/server/storage/postgres/postgresEngine.ts";
import { hasPostgres, setUpPostgres } from "../../support/postgres.ts";
import type { StoredItem } from "../../../src/schema/entities/entity.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { createSubscriber } from "../../support/subscribers.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";

setDefaultTimeout(120_000);

let root = "";
let archive = "";
let createEngine: () => Engine;
const createEngineInFolder = () => createFolderEngine(join(root, "data"));
const getUploadsPath = () => join(root, "uploads");
const createTarget = (): SiteStorage => ({
  data: createEngine(),
  uploads: createFolderStorage(getUploadsPath()),
});
const openStore = () => createEngine().open({ entities: allEntities, log: () => {} });

const postgres = setUpPostgres();

/** A site with an archive of an earlier state. */
async function prepareSite(kind: "folder" | "database" = "folder"): Promise<void> {
  root = await mkdtemp(join(tmpdir(), "limelight-restored-"));
  archive = join(root, "site.tar.gz");
  const address = kind === "database" && parseDatabaseUrl(postgres.createUrl());
  createEngine = address
    ? () => createPostgresEngine(address, join(root, "data"))
    : createEngineInFolder;
  await writeContent("Then", "then@example.com", "then");
  await mkdir(getUploadsPath(), { mode: 0o700 });
  await Bun.write(join(getUploadsPath(), "then.txt"), "then");
  await saveArchive(archive, createTarget());
  await fillCurrentSite();
}

/** Makes the site differ from the archive, also after a restore. */
async function fillCurrentSite(): Promise<void> {
  await writeContent("Now", "now@example.com", "now");
  await rm(join(getUploadsPath(), "then.txt"), { force: true });
  await Bun.write(join(getUploadsPath(), "now.txt"), "now");
}
afterEach(() => rm(root, { recursive: true }));

async function writeContent(title: string, email: string, session: string): Promise<void> {
  const store = await openStore();
  await store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: title }));
  const user = { ...getInitialValues(entities.users.fields), id: "u", username: "Ada", email };
  await store.of(entities.users).update(() => [user as Item<"users">]);
  const begun = { ...getInitialValues(entities.sessions.fields), id: session, userId: "u" };
  await store.of(entities.sessions).update(() => [begun as Item<"sessions">]);
  await store.close();
}

/** The hero's title, the login address, the session, the files beside the pictures, and the secret. */
async function readState(): Promise<unknown[]> {
  const store = await openStore();
  const title = store.of(entities.hero).read().value.mainTitle;
  const [user] = store.of(entities.users).read().value;
  const [session] = store.of(entities.sessions).read().value;
  const secret = Buffer.from(await store.readSecret()).toString("hex");
  await store.close();
  const files = (await readdir(getUploadsPath())).filter((name) => name.endsWith(".txt"));
  return [title, user!.email, session!.id, files, secret];
}

const listLeftovers = async () => {
  const folders = [join(root, "data"), getUploadsPath()].filter(existsSync);
  const names = await Promise.all(folders.map((each) => readdir(each)));
  return names.flat().filter((name) => name.startsWith(".restore-"));
};

/**
 * The site's storage, whose n-th changing call fails like a killed process. For a database, only the calls that change
 * the database are counted, since the pictures are in a folder either way.
 */
function createFailingTarget(number: number): SiteStorage {
  let calls = 0;
  const real = createTarget();
  const counted = <T extends object>(calling: T, names: readonly (keyof T & string)[]): T => {
    const wrapped = names.map((name) => [
      name,
      async (...args: unknown[]) => {
        if (++calls === number) throw new Error("killed");
        await (calling[name] as (...all: unknown[]) => Promise<unknown>)(...args);
      },
    ]);
    return { ...calling, ...(Object.fromEntries(wrapped) as Partial<T>) };
  };
  const steps = ["begin", "moveOut", "moveIn", "putSecret", "end"] as const;
  const replacement = counted(real.data.replacement, steps);
  if (createEngine !== createEngineInFolder)
    return { ...real, data: { ...real.data, replacement } };
  const pictures = counted(real.uploads, ["remove"]);
  const contents = () => counted(real.uploads.createReplaceableContents(), ["moveOut", "moveIn"]);
  return {
    data: { ...real.data, replacement },
    uploads: { ...pictures, createReplaceableContents: contents },
  };
}

const KINDS = ["folder", ...(hasPostgres ? (["database"] as const) : [])] as const;

describe.each(KINDS)("with data in a %s", (kind) => {
  beforeEach(() => prepareSite(kind));

  test("a staged restore changes nothing until it is finished, and keeps the accounts", async () => {
    const before = await readState();
    await stageRestore(archive, createTarget());
    expect((await readdir(getUploadsPath())).filter((name) => name.endsWith(".txt"))).toEqual([
      "now.txt",
    ]);
    expect(await finishRestore(createTarget())).toBe(true);
    expect(await readState()).toEqual(["Then", "now@example.com", "now", ["then.txt"], before[4]]);
    expect(await finishRestore(createTarget())).toBe(false);
    expect(await listLeftovers()).toEqual([]);
  });

  test("a restore by the command line restores the accounts of an archive, and the current sessions stay valid", async () => {
    const before = await readState();
    const release = await createEngine().lock();
    const restored = await restoreArchive(archive, createTarget());
    await release();
    expect(restored).toMatchObject({ isSecretCarried: true, areErasuresReapplied: true });
    expect(await readState()).toEqual(["Then", "then@example.com", "now", ["then.txt"], before[4]]);
    const leftoverReasons = (await createEngine().findLeftoverCopies()).map(({ origin: by }) => by);
    expect(leftoverReasons).toEqual(["a restore"]);
  });

  test.each(kind === "folder" ? ["dashboard", "command line"] : ["dashboard"])(
    "a restore from the %s that is interrupted at any step changes nothing or is finished by the next start",
    async (method) => {
      const email = method === "dashboard" ? "now@example.com" : "then@example.com";
      const restore = async (to: SiteStorage) => {
        if (method !== "dashboard") return restoreArchive(archive, to);
        await stageRestore(archive, to);
        return finishRestore(to);
      };
      const before = await readState();
      for (let at = 1, isOver = false; !isOver; at++) {
        if (at > 2) await fillCurrentSite();
        isOver = await restore(createFailingTarget(at)).then(
          () => true,
          () => false,
        );
        // The next start is interrupted too, a step later.
        await finishRestore(createFailingTarget(2)).catch(() => undefined);
        await finishRestore(createTarget());
        const restored = ["Then", email, "now", ["then.txt"], before[4]];
        expect([at, await readState()]).toEqual([at, at > 1 ? restored : before]);
        const findings = await examineSite(createTarget().data, createTarget().uploads);
        expect(findings.filter(({ ok }) => !ok)).toEqual([]);
      }
    },
  );

  test("limelight restore completes after an interrupted restore, and keeps one copy of the earlier data", async () => {
    const before = await readState();
    await stageRestore(archive, createTarget());
    await finishRestore(createFailingTarget(5)).catch(() => undefined);
    await rm(join(root, "data", (await listLeftovers())[0]!), { recursive: true });
    await expect(finishRestore(createTarget())).rejects.toThrow("limelight restore");
    const release = await createEngine().lock();
    await restoreArchive(archive, createTarget());
    await release();
    expect(await readState()).toEqual(["Then", "then@example.com", "now", ["then.txt"], before[4]]);
    expect(await createEngine().findLeftoverCopies()).toHaveLength(1);
    expect(await listLeftovers()).toEqual([]);
  });

  test("after a restore, subscribers who unsubscribed or became unreachable since the backup still have this status", async () => {
    const { emailSubscriptions } = entities;
    type Subscription = Item<"emailSubscriptions">;
    type Change = Partial<Subscription>;
    const subscribedAt = "2026-11-01T10:00:00.000Z";
    const joined = (id: string, change: Change = {}) =>
      createSubscriber(`${id}@example.com`, { id, subscribedAt, ...change });
    const discard = (store: Store, id: string) =>
      new Bin(store).moveToBin(
        emailSubscriptions,
        async (transaction) => (await transaction.of(emailSubscriptions).delete(id))!,
      );
    const then = await openStore();
    for (const name of ["left", "complained", "bounced", "binned", "deleted", "again", "stays"])
      await then.of(emailSubscriptions).insert(joined(name));
    const later = { subscribedAt: "2026-11-09T10:00:00.000Z" };
    await then.of(emailSubscriptions).update("again", (row) => ({ ...row, ...later }));
    await discard(then, "deleted");
    await then.close();
    await rm(archive);
    await saveArchive(archive, createTarget());
    const now = await openStore();
    const list = now.of(emailSubscriptions);
    const is = (id: string, change: Change) => list.update(id, (row) => ({ ...row, ...change }));
    await is("left", { status: "unsubscribed" });
    await is("complained", { status: "unsubscribed", unreachable: "complained" });
    await is("bounced", { unreachable: "bounced" });
    await is("again", { status: "unsubscribed", subscribedAt });
    await is("binned", { status: "unsubscribed" });
    await discard(now, "binned");
    const leave = (row: StoredItem) => ({ ...row, status: "unsubscribed" });
    const inBin = new Bin(now).changeItems(emailSubscriptions, (row) =>
      row.id === "deleted" ? leave(row) : row,
    );
    expect(await inBin).toBe(1);
    await list.insert(joined("new", { status: "unsubscribed", unreachable: "complained" }));
    await now.close();

    await stageRestore(archive, createTarget());
    expect(await finishRestore(createTarget())).toBe(true);
    const after = await openStore();
    const rows = await Array.fromAsync(after.of(emailSubscriptions).scan());
    const lines = rows.map(({ id, status, unreachable }) => [id, status, unreachable].join(" "));
    const deleted = await Array.fromAsync(new Bin(after).readAll(emailSubscriptions));
    await after.close();
    expect(lines.toSorted()).toEqual([
      "again active ",
      "binned unsubscribed ",
      "bounced active bounced",
      "complained unsubscribed complained",
      "left unsubscribed ",
      "new unsubscribed complained",
      "stays active ",
    ]);
    expect(deleted).toMatchObject([{ id: "deleted", status: "unsubscribed" }]);
  });

  test("after a restore, testimonials withdrawn since the backup are in the trash and not on the pages", async () => {
    const { testimonials, testimonialRequests } = entities;
    const day = "2026-11-01T10:00:00.000Z";
    const names = ["taken", "gone", "binned", "stays"];
    const words = names.map((id) => ({
      ...getInitialValues(testimonials.fields),
      id,
      words: `The words of ${id}.`,
      name: id,
      isActive: true,
      receivedAt: day,
    }));
    const links = names.map((id) => ({
      ...getInitialValues(testimonialRequests.fields),
      id: `link-${id}`,
      usedAt: day,
      testimonialId: id,
    }));
    const then = await openStore();
    await then.of(testimonials).update(() => words as Item<"testimonials">[]);
    await then.of(testimonialRequests).update(() => links as Item<"testimonialRequests">[]);
    await new Bin(then).moveToBin(testimonials, async (transaction) => {
      await transaction.of(testimonials).update((all) => all.filter(({ id }) => id !== "binned"));
      return words[2] as Item<"testimonials">;
    });
    await then.close();
    await rm(archive);
    await saveArchive(archive, createTarget());
    const now = await openStore();
    await now.of(testimonials).update((all) => all.filter(({ id }) => id === "stays"));
    await now
      .of(testimonialRequests)
      .update((all) =>
        all.map((each) => (each.testimonialId === "stays" ? each : { ...each, takenBackAt: day })),
      );
    await now.close();

    await stageRestore(archive, createTarget());
    expect(await finishRestore(createTarget())).toBe(true);
    const after = await openStore();
    expect(
      after
        .of(testimonials)
        .read()
        .value.map(({ id }) => id),
    ).toEqual(["stays"]);
    const requests = after.of(testimonialRequests).read().value;
    expect(requests.filter(({ takenBackAt }) => takenBackAt === null)).toMatchObject([
      { testimonialId: "stays" },
    ]);
    const binned = await Array.fromAsync(new Bin(after).readAll(testimonials));
    await after.close();
    expect(binned.map(({ id, isActive }) => [id, isActive])).toEqual(
      expect.arrayContaining(["taken", "gone", "binned"].map((id) => [id, false])),
    );
  });
});

describe("an interrupted restore", () => {
  beforeEach(() => prepareSite());

  test("keeps the data from being opened, and doctor says that the next start finishes the restore", async () => {
    await stageRestore(archive, createTarget());
    const findings = await examineSite(createEngine(), createFolderStorage(getUploadsPath()));
    expect(findings.map(({ message }) => message)).toEqual([
      "A restore was interrupted. The next start finishes it automatically.",
    ]);
    await expect(openStore()).rejects.toThrow("was interrupted");
  });
});
