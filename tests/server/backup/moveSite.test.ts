/**
 * Moving a site while it is served: from folders to PostgreSQL and, where Debian's Swift can be had, a bucket,
 * and back; every answer of before is that of after.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import { moveSite } from "../../../src/server/backup/moveSite.ts";
import { move } from "../../../src/server/cli/move.ts";
import { engineOf, openSite, picturesOf } from "../../../src/server/cli/openSite.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import type { PictureStorage } from "../../../src/server/storage/pictures/pictureStorage.ts";
import { answersOf } from "./answersOf.ts";
import { pictureAs } from "../../support/pictures.ts";
import { hasPostgres, postgresForAll } from "../../support/postgres.ts";
import { type Site, startSite } from "../../support/startSite.ts";
import { joinAll } from "../../support/subscriber.ts";
import { hasSwift, sharedSwift, type Swift } from "../../support/swift.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";

setDefaultTimeout(180_000);

type Env = Record<string, string>;

describe.if(hasPostgres)("a site that is moved", () => {
  let root: string;
  const postgres = postgresForAll();
  let swift: Swift | undefined;
  let site: Site;
  let cookie: string;
  let folders: Env;
  let away: Env;
  let picture: { url: string };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "limelight-moved-"));
    swift = hasSwift ? await sharedSwift() : undefined;
    await swift?.makeBucket("moved");
    folders = foldersIn("from");
    away = {
      ...foldersIn("to"),
      DATABASE_URL: postgres.url(),
      ...(swift && {
        UPLOADS_S3: `s3://moved/site?endpoint=${swift.endpoint}&region=us-east-1`,
        S3_ACCESS_KEY_ID: swift.accessKeyId,
        S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
      }),
    };
    site = await startSite({ env: folders });
    await fill();
    cookie = (await site.owner()).cookies();
  }, 200_000);
  afterAll(async () => {
    await site?.stop();
    await rm(root, { recursive: true, force: true });
  });

  const foldersIn = (name: string): Env => ({
    DATA_DIR: join(root, name, "data"),
    UPLOADS_DIR: join(root, name, "uploads"),
    RATE_LIMIT: "off",
  });
  const placesOf = (env: Env) => {
    const { config } = readConfig([], env);
    return { config, data: engineOf(config), uploads: picturesOf(config) };
  };

  /** Some of everything: versions, records, pictures, and what is in the bin. */
  async function fill(): Promise<void> {
    const { store } = site;
    picture = await uploadPicture(site, "stage.jpg", await pictureAs("jpeg", 400, 300));
    const gone = await uploadPicture(site, "gone.png", await pictureAs("png", 40, 30));
    await (await site.owner()).delete(`/api/uploads/${gone.id}`);
    for (const mainTitle of ["One", "Two"])
      await store
        .of(entities.hero)
        .update((hero) => ({ ...hero, mainTitle, backgroundImage: picture.url }));
    const guests = Array.from({ length: 250 }, (_, at) => `guest${at}@example.com`);
    await joinAll(
      site,
      guests.map((email) => ({ name: email.slice(0, 8), email, consent: true })),
    );
    await site.settled();
  }

  /** What every GET that anybody or the owner can make answers, in the session of before. */
  async function answers() {
    const routes = site.app.routes as { method: string; path: string }[];
    const paths = routes
      .filter(({ method, path }) => method === "GET" && path.startsWith("/api/"))
      .map(({ path }) => path)
      .filter((path) => !path.includes(":") && !CHANGING.has(path))
      .concat("/", "/coaching", "/privacy-policy", "/sitemap.xml", picture.url)
      .concat("/api/history/hero", "/api/history/hero/2");
    return {
      visitor: await answersOf(site.url, paths),
      owner: await answersOf(site.url, paths, cookie),
    };
  }

  /** They tell of the machine, of the moment, or of a ticket made for whoever asks. */
  const CHANGING = new Set(
    "export health backups notices filling-time auth/passkey-login auth/sessions auth/logins"
      .split(" ")
      .map((path) => `/api/${path}`),
  );

  /** As the command does it. */
  const moveTo: typeof moveSite = async (from, to, options) => {
    const release = from.data.location === to.data.location ? () => {} : await to.data.lock();
    try {
      return await moveSite(from, to, options);
    } finally {
      await release();
    }
  };

  const serveAt = async (env: Env) => {
    await site.stop();
    const opened = await openSite(placesOf(env).config, () => {});
    await opened.close();
    site = await startSite({ env, owner: false });
  };

  /** As `to`, but for a place that fails after some files. */
  const failing = (place: PictureStorage, after: number): PictureStorage => ({
    ...place,
    async put(name, bytes) {
      if (name !== ".site" && after-- <= 0) throw new Error("The line is cut.");
      await place.put(name, bytes);
    },
  });

  test("takes no writes meanwhile, in words, and takes them again when the move fails; then only the rest is copied", async () => {
    const [from, to] = [placesOf(folders), placesOf(away)];
    const refused: (number | string)[] = [];
    const lines: string[] = [];
    const uploads: PictureStorage = {
      ...failing(to.uploads, 2),
      async names() {
        return to.uploads.names();
      },
      async files() {
        const { status, body } = await site.visitor().post("/api/email-subscriptions", {
          name: "Late",
          email: "late@example.com",
          consent: true,
        });
        refused.push(status, body.error, (await site.visitor().get("/")).status);
        return to.uploads.files();
      },
    };
    const options = { say: (line: string) => void lines.push(line) };
    await expect(moveTo(from, { ...to, uploads }, options)).rejects.toThrow("The line is cut.");
    expect(refused).toEqual([
      503,
      "This site is being moved to another place, so nothing can be changed right now. Pages are shown as they are. Try again later.",
      200,
    ]);
    await site.asOwner("POST", "/api/site", { name: "Ada Vale" });
    const before = await answers();

    const moved = await moveTo(from, to, options);
    const files = (await from.uploads.names()).filter((name) => !name.startsWith("."));
    expect(moved.pictures).toBe(files.length);
    expect(moved.records).toBeGreaterThan(250);
    expect(moved.versions).toBeGreaterThan(1);
    expect(lines.at(-1)).toBe(
      `${files.length - 2} files of pictures were copied, 2 were there already.`,
    );
    expect((await site.visitor().get("/")).status).toBe(200);
    await expect(site.asOwner("POST", "/api/site", { name: "Lost" })).rejects.toThrow("503");

    const unmoved = placesOf(folders).config;
    await site.stop();
    await expect(openSite(unmoved, () => {})).rejects.toThrow(
      "was moved, or is being moved: to 127",
    );
    site = await startSite({ env: away, owner: false });
    expect(await answers()).toEqual(before);
  });

  test("is served from there, and moved back into other folders with what came since", async () => {
    await site.store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: "Three" }));
    const before = await answers();
    const home = foldersIn("home");
    const moved = await moveTo(placesOf(away), placesOf(home));
    await expect(site.asOwner("POST", "/api/site", { name: "Lost" })).rejects.toThrow("503");
    const health = await site.visitor().get("/api/health");
    expect([health.status, health.body.status]).toEqual([503, "degraded"]);
    await serveAt(home);
    expect(await answers()).toEqual(before);
    expect(moved.records).toBeGreaterThan(250);
    await placesOf(away).data.standstill.end();
  });

  test("can go to another place for its pictures alone, where the next start finds them", async () => {
    const home = foldersIn("home");
    const there = { ...home, UPLOADS_DIR: join(root, "pictures") };
    const before = await answers();
    await moveTo(placesOf(home), placesOf(there));
    await serveAt(there);
    expect(await answers()).toEqual(before);
    await site.asOwner("POST", "/api/site", { name: "Here" });
    // Two folders of one bucket are two places.
    const [one, two] = ["a", "b"].map((prefix) => ({
      UPLOADS_S3: `s3://pictures/${prefix}`,
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
    }));
    expect(placesOf(one!).uploads.called).not.toBe(placesOf(two!).uploads.called);
  });

  test("goes nowhere where another site is, nor where it is already", async () => {
    const own = placesOf({ ...foldersIn("home"), UPLOADS_DIR: join(root, "pictures") });
    const other = await startSite();
    const theirs = { data: engineOf(other.config), uploads: picturesOf(other.config) };
    await uploadPicture(other, "theirs.jpg", await pictureAs("jpeg", 40, 30));
    await expect(moveSite(own, theirs)).rejects.toThrow("holds another site");
    await expect(moveTo(own, { ...own, uploads: theirs.uploads })).rejects.toThrow("another");
    await expect(moveTo(own, own)).rejects.toThrow("is there already");
    const command = (flags: Env) => move.run(own.config, [], new Map(Object.entries(flags)));
    for (const [flags, words] of [
      [{ "--to": `${own.config.dataDir}/.` }, "is there already"],
      [{ "--to": join(own.config.uploadsDir, "data") }, "neither inside the other"],
      [{ "--to": "mysql://db/site" }, "--to must be an address such as postgres://"],
      [{ "--uploads": "s3:/pictures" }, "--uploads must be an address such as s3://"],
      [{ "--to": "./x", "--cancel": "" }, "Say where to"],
      [{}, "Say where to"],
    ] as const)
      await expect(command(flags)).rejects.toThrow(words);
    await other.stop();
    expect(await own.data.standstill.underWay()).toBeUndefined();
  });

  test("copies once more what was still being written when it began", async () => {
    const from = placesOf({ ...foldersIn("home"), UPLOADS_DIR: join(root, "pictures") });
    const late = foldersIn("late");
    const to = placesOf(late);
    const { standstill } = from.data;
    let isLate = true;
    const uploads: PictureStorage = {
      ...to.uploads,
      async files() {
        if (isLate) {
          isLate = false;
          const destination = await standstill.underWay();
          await standstill.end();
          await site.visitor().post("/api/email-subscriptions", { email: "late@example.com" });
          await standstill.begin(destination!);
        }
        return to.uploads.files();
      },
    };
    await moveTo(from, { ...to, uploads });
    await serveAt(late);
    const found = await site.asOwner("GET", "/api/email-subscriptions?search=late");
    expect(JSON.stringify(found)).toContain("late@example.com");
    const kept = (await to.data.copies()).map(({ by }) => by);
    expect(kept).not.toContain("a restore");
  });
});
