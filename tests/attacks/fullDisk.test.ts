/** A full disk: 503 with a message, nothing is changed, and the site continues (specification, section 4.15). */
import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, statfs, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities } from "../../src/schema/index.ts";
import { restoreArchive } from "../../src/server/backup/restore.ts";
import { createArchiveStream } from "../../src/server/backup/writeArchive.ts";
import { createDiskError, createFaultyDisk } from "../server/storage/faultyDisk.ts";
import { makeForm } from "../support/enquiryForm.ts";
import { createPicture } from "../support/pictures.ts";
import { openSiteStorage } from "../support/openSiteStorage.ts";
import { type ProgramSite, runProgram, toSiteFolder, startProgram } from "../support/program.ts";
import { OWNER } from "../support/site.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { mountSmallDisk } from "../support/smallDisk.ts";
import { startSite } from "../support/startSite.ts";
import { waitForValue } from "../support/waits.ts";

const CANNOT_STORE = [503, "cannot_store"];

describe("when every write to the disk fails", () => {
  let isFull = false;
  const disk = createFaultyDisk((operation) => {
    if (isFull && (operation === "create" || operation === "write"))
      throw createDiskError("ENOSPC");
  });
  const site = setUpSiteForAll(() => startSite({ disk, env: { RATE_LIMIT: "off" } }));

  async function withFullDisk<T>(work: () => Promise<T>): Promise<T> {
    isFull = true;
    try {
      return await work();
    } finally {
      isFull = false;
    }
  }

  test("each kind of request that writes gets 503 and changes nothing, and pages are still served", async () => {
    const owner = await site.owner();
    const counted = { value: "1", label: "x", order: 0 };
    const statistic = `/api/statistics/${(await site.asOwner("POST", "/api/statistics", counted)).id}`;
    const { formId, ids } = await makeForm(site, "F", [["text", "L"]]);
    const enquiry = { formId, data: { [ids[0]!]: "x" } };
    const { id } = await site.asOwner("POST", "/api/form-submissions", enquiry);
    await site.asOwner("POST", "/api/email-subscriptions", { email: "a@example.com" });
    const before = site.readStored();
    const picture = new FormData();
    picture.set("file", new File([await createPicture("png", 20, 20)], "a.png"));
    const password = { currentPassword: OWNER.password, newPassword: "nine velvet rooms" };
    await withFullDisk(async () => {
      const writes: [string, string, unknown?][] = [
        ["POST", "/api/hero", { mainTitle: "New" }],
        ["POST", "/api/statistics", { value: "2", label: "y", order: 1 }],
        ["PUT", statistic, { value: "3" }],
        ["DELETE", statistic],
        ["POST", "/api/statistics/reorder", { updates: [{ id: statistic.slice(16), order: 7 }] }],
        ["POST", "/api/upload", picture],
        ["POST", "/api/form-submissions", enquiry],
        ["PUT", `/api/form-submissions/${id}/status`, { status: "reviewed" }],
        ["DELETE", `/api/form-submissions/${id}`],
        ["POST", "/api/email-subscriptions", { email: "b@example.com" }],
        ["POST", "/api/email-subscriptions/unsubscribe", { email: "a@example.com" }],
        ["POST", "/api/people/erase", { email: "a@example.com" }],
        ["POST", "/api/auth/login", OWNER],
        ["POST", "/api/auth/password", password],
      ];
      for (const [method, path, body] of writes) {
        const answer = await owner.call(method as "POST", path, body);
        expect([path, answer.status, answer.body.code]).toEqual([path, ...CANNOT_STORE]);
      }
      for (const path of ["/", "/coaching", "/api/auth/me", `/api/form-submissions/${formId}`])
        expect([path, (await owner.get(path)).status]).toEqual([path, 200]);
      site.advance(6000);
      const health = await owner.get("/api/health");
      expect([health.status, health.body.error]).toEqual([
        503,
        "The disk is full, so nothing can be saved. Free up space.",
      ]);
    });
    expect(site.readStored()).toBe(before);
    site.advance(6000);
    expect((await owner.get("/api/health")).status).toBe(200);
    expect((await site.visitor().post("/api/auth/login", OWNER)).status).toBe(200);
    expect((await owner.post("/api/hero", { mainTitle: "New" })).status).toBe(200);
    expect((await owner.get("/")).text).toContain("New");
  });
});

const folder = await mountSmallDisk(6);

describe.skipIf(folder === undefined)("the executable on a disk of 6 MB", () => {
  let site: ProgramSite;
  const start = async () => {
    site = await startProgram({ folder: folder!, env: { RATE_LIMIT: "off" } });
  };
  const filler = join(folder ?? "", "filler");
  const fillDisk = () =>
    Bun.spawn(["dd", "if=/dev/zero", `of=${filler}`, "bs=4k"], { stderr: "ignore" }).exited;

  /** The doctor's report while the site runs. */
  const runDoctor = async () => {
    const served = { PORT: new URL(site.url).port };
    const { code, out } = await runProgram(toSiteFolder(folder!), ["doctor"], "", served);
    return [code, out];
  };

  test("keeps serving pages while the disk is full, and saves again once there is space", async () => {
    await start();
    const owner = await site.owner();
    await owner.post("/api/hero", { mainTitle: "Before it was full" });
    await site.visitor().post("/api/email-subscriptions", { email: "early@example.com" });
    // Reading the audit log waits until it is written, so that nothing pending leaves room afterwards.
    await owner.get("/api/audit-log");
    expect(await fillDisk()).not.toBe(0);
    for (let at = 0; at < 3; at++) {
      const { status, body } = await owner.post("/api/about", { content: "x".repeat(9000 + at) });
      expect([status, body.code]).toEqual(CANNOT_STORE);
    }
    expect((await owner.get("/")).text).toContain("Before it was full");
    expect(await runDoctor()).toEqual([
      1,
      expect.stringContaining("data has less than 20 MB left."),
    ]);
    // A reserve lets the owner log in and delete. Visitors can't use it: only the journal's last page is left to
    // them.
    const subscribe = (email: string) => site.visitor().post("/api/email-subscriptions", { email });
    const untilRefused = async (name: string) => {
      for (let at = 0; at < 60; at++)
        if ((await subscribe(`${name}${at}@example.com`)).status === 503) return true;
      return false;
    };
    expect(await untilRefused("late")).toBe(true);
    const again = await site.logInAsOwner();
    const [{ id }] = (await again.get("/api/email-subscriptions")).body;
    expect((await again.delete(`/api/email-subscriptions/${id}`)).status).toBe(204);
    expect(await untilRefused("later")).toBe(true);
    expect((await again.post("/api/auth/logout")).status).toBeLessThan(300);
    await unlink(filler);
    expect((await owner.post("/api/hero", { mainTitle: "After it" })).status).toBe(200);
    expect((await owner.get("/")).text).toContain("After it");
  });

  test("keeps serving pages while the disk is mounted read-only, and saves again after a restart", async () => {
    const { dataDir } = site;
    const run = (...args: string[]) => Bun.spawn(args, { stderr: "ignore" }).exited;
    // A file that is open for writing prevents a read-only mount.
    const mount = (...args: string[]) => waitForValue(() => run(...args), 0);
    const owner = await site.owner();
    let expectedTitle = "";
    await owner.post("/api/hero", { mainTitle: "Before it was read-only" });
    // Events are recorded after the response, and reading them waits for that, so nothing is half written when the
    // disk changes.
    await owner.get("/api/audit-log");
    // The mount is repeated over itself, since files that are open for writing keep the first one unchanged.
    await mount("mount", "--bind", dataDir, dataDir);
    try {
      await mount("mount", "-o", "remount,bind,ro", dataDir);
      // An open journal still accepts changes: an acknowledged one is stored, although no other file has it yet.
      const { status } = await owner.post("/api/hero", { mainTitle: "While it is read-only" });
      expect([200, 503]).toContain(status);
      expectedTitle = status === 200 ? "While it is read-only" : "Before it was read-only";
      expect((await owner.get("/")).text).toContain(expectedTitle);
      await waitForValue(
        async () => (await owner.get("/api/health")).body.error,
        "The disk is mounted read-only, so nothing can be saved. The system's log says why.",
      );
      expect(await runDoctor()).toEqual([
        1,
        expect.stringContaining("isn't writable. Make the user"),
      ]);
    } finally {
      await mount("umount", "-l", dataDir);
    }
    await site.stop("SIGKILL");
    await start();
    expect((await site.visitor().get("/")).text).toContain(expectedTitle);
    const again = await site.owner();
    expect((await again.post("/api/hero", { mainTitle: "After it" })).status).toBe(200);
    // A disk this small always causes a notice.
    await waitForValue(async () => (await again.get("/api/health")).body.status, "degraded");
  });

  test("loses no data when it is stopped while the disk is full", async () => {
    const people = Array.from({ length: 60 }, (_, at) => `person${at}@example.com`);
    for (const email of people)
      expect((await site.visitor().post("/api/email-subscriptions", { email })).status).toBe(201);
    await fillDisk();
    await site.stop("SIGTERM");
    await unlink(filler);
    await start();
    const path = "/api/email-subscriptions?limit=200";
    const listed = await site.asOwner<{ email: string }[]>("GET", path);
    expect(listed.map(({ email }) => email)).toEqual(expect.arrayContaining(people));
  });

  test("refuses a restore without enough disk space with a message, and changes nothing", async () => {
    // Automatic writes would free space, so the site is stopped.
    await site.stop();
    const elsewhere = await mkdtemp(join(tmpdir(), "limelight-restored-"));
    const source = openSiteStorage(elsewhere);
    await (await source.data.open({ entities: allEntities })).close();
    const noise = crypto.getRandomValues(new Uint8Array(60_000));
    await Bun.write(join(elsewhere, "uploads", "a.jpg"), noise);
    const archive = join(elsewhere, "site.tar.gz");
    await writeFile(archive, createArchiveStream(source));
    const { data } = openSiteStorage(join(elsewhere, "other"));
    const { uploads } = openSiteStorage(join(folder!, "other"));
    const [otherData, pictures] = [
      join(elsewhere, "other", "data"),
      join(folder!, "other", "uploads"),
    ];
    await Bun.write(join(otherData, "hero.json"), "as it was");
    await Bun.write(join(pictures, "old.jpg"), "as it was");
    const free = (await statfs(folder!)).bavail * 4096 - 20_000;
    await Bun.write(filler, new Uint8Array(free));
    await expect(restoreArchive(archive, { data, uploads })).rejects.toThrow(
      "The disk is full. Nothing was",
    );
    const visible = async (path: string) =>
      (await readdir(path)).filter((name) => !name.startsWith("."));
    expect([await visible(otherData), await visible(pictures)]).toEqual([
      ["hero.json"],
      ["old.jpg"],
    ]);
    await rm(elsewhere, { recursive: true });
  });
});
