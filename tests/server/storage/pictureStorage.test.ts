/**
 * The promises of picture storage, in a folder and in a bucket (Swift, if Debian has it), and the failures of a
 * bucket.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { examineSite } from "../../../src/server/backup/siteChecks.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { openSite, createPictureStorage } from "../../../src/server/cli/openSite.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { createBucketStorage } from "../../../src/server/storage/pictures/bucketStorage.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import type { PictureStorage } from "../../../src/server/storage/pictures/pictureStorage.ts";
import { acceptImage, createVariants } from "../../../src/server/uploads/acceptImage.ts";
import {
  countUnlistedPictures,
  readListedOriginals,
  openUploadFiles,
  removeLeftovers,
} from "../../../src/server/uploads/uploadFiles.ts";
import { createPicture } from "../../support/pictures.ts";
import { type Site, startSite } from "../../support/startSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { hasSwift, getSharedSwift, type Swift } from "../../support/swift.ts";
import { type TamperingProxy, startTamperingProxy } from "../../support/tamperingProxy.ts";
import { waitForValue } from "../../support/waits.ts";

let root: string;
let swift: Swift;
let proxy: TamperingProxy;
let folderNumber = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-places-"));
  if (!hasSwift) return;
  swift = await getSharedSwift();
  proxy = await startTamperingProxy(swift.port);
  await swift.makeBucket("pictures");
}, 200_000);
afterAll(async () => {
  await proxy?.stop();
  await rm(root, { recursive: true, force: true });
});

const createFolder = () => join(root, String(folderNumber++));

const MB = 1024 * 1024;

/** Opens storage in a bucket, by default with a separate prefix for each test. */
function openInBucket({
  env = {},
  cache: maxCacheBytes = 16 * MB,
  patience: stallTimeoutMs = 40_000,
  prefix = String(folderNumber),
} = {}) {
  const { config } = readConfig([], {
    UPLOADS_S3: `s3://pictures/${prefix}?endpoint=http://127.0.0.1:${proxy.port}&region=us-east-1`,
    S3_ACCESS_KEY_ID: swift.accessKeyId,
    S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    ...env,
  });
  return createBucketStorage(config.uploadsS3!, {
    ...config,
    folder: createFolder(),
    maxCacheBytes,
    stallTimeoutMs,
  });
}

const toText = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
const toBytes = (words: string) => new TextEncoder().encode(words);
const [FIRST_STEM, SECOND_STEM] = ["a".repeat(32), "b".repeat(32)];
/** In milliseconds: uploads that begin now are complete by then. */
const LATER_MS = 61 * 60_000;
const RESTORE_NOTE = {
  before: ".before-restore-1",
  emptied: false,
  staging: ".restore-1",
  isCarried: false,
  keeps: [],
};

describe.each([
  ["a folder", true, () => createFolderStorage(createFolder())],
  ["a bucket", hasSwift, () => openInBucket()],
])("in %s", (_, isAvailable, open) => {
  const testIfAvailable = isAvailable ? test : test.skip;
  let storage: PictureStorage;
  beforeEach(async () => {
    if (!isAvailable) return;
    proxy?.reset();
    storage = open();
    await storage.prepare();
  });
  const fetchLocal = async (name: string) => {
    const file = await storage.fetchLocalFile(name);
    return file && { size: file.size, text: await Bun.file(file.path).text() };
  };
  const listSorted = async () => (await storage.listNames()).toSorted();

  testIfAvailable(
    "a stored picture can be read whole, from its beginning, and as a local file",
    async () => {
      await storage.add([
        { path: `${FIRST_STEM}-320.webp`, bytes: toBytes("small") },
        { path: `${FIRST_STEM}-640.webp`, bytes: toBytes("larger") },
      ]);
      await storage.put(`${FIRST_STEM}.jpg`, toBytes("original"));
      expect(await listSorted()).toEqual([
        `${FIRST_STEM}-320.webp`,
        `${FIRST_STEM}-640.webp`,
        `${FIRST_STEM}.jpg`,
      ]);
      expect(toText(await storage.read(`${FIRST_STEM}.jpg`))).toBe("original");
      expect(toText(await storage.read(`${FIRST_STEM}.jpg`, 4))).toBe("orig");
      expect(await fetchLocal(`${FIRST_STEM}-640.webp`)).toEqual({ size: 6, text: "larger" });
      const [first] = (await storage.listFiles()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(first).toMatchObject({ name: `${FIRST_STEM}-320.webp`, size: 5 });
      expect(Math.abs(first!.changedAt - Date.now())).toBeLessThan(60_000);
    },
  );

  testIfAvailable(
    "reading a missing picture returns undefined, and removing or renaming one does nothing",
    async () => {
      expect(await storage.read("none.jpg")).toBeUndefined();
      expect(await storage.fetchLocalFile("none.jpg")).toBeUndefined();
      await storage.rename("none.jpg", "other.jpg");
      await storage.remove(["none.jpg"]);
      expect(await storage.listNames()).toEqual([]);
    },
  );

  testIfAvailable("a picture's file can be replaced, renamed and removed", async () => {
    await storage.put(`${FIRST_STEM}.jpg`, toBytes("first"));
    await storage.put(`${FIRST_STEM}.jpg`, toBytes("second"));
    await storage.rename(`${FIRST_STEM}.jpg`, `${SECOND_STEM}.jpg`);
    expect(await listSorted()).toEqual([`${SECOND_STEM}.jpg`]);
    expect(toText(await storage.read(`${SECOND_STEM}.jpg`))).toBe("second");
    await storage.remove([`${SECOND_STEM}.jpg`]);
    expect(await listSorted()).toEqual([]);
  });

  testIfAvailable("the health check passes and leaves no file", async () => {
    await storage.checkHealth();
    expect(await storage.examine()).toMatchObject({ ok: true });
    expect(await listSorted()).toEqual([]);
  });

  /** The names of visible pictures. */
  const listShown = async () => (await listSorted()).filter((name) => !name.startsWith("."));
  /** Replaces the pictures by `names`, like a restore of the site. */
  const restore = async (note: typeof RESTORE_NOTE, ...names: string[]) => {
    const coming = createFolder();
    for (const name of names) await Bun.write(join(coming, name), name);
    const contents = storage.createReplaceableContents();
    await contents.moveOut(note);
    await contents.moveIn(coming, note);
  };

  testIfAvailable("a restore sets the current pictures aside and adds its own", async () => {
    for (const name of [FIRST_STEM, SECOND_STEM]) await storage.put(`${name}.jpg`, toBytes(name));
    const names = [`${SECOND_STEM}.jpg`, `${"c".repeat(32)}.jpg`];
    await restore(RESTORE_NOTE, ...names);
    expect(await listShown()).toEqual(names);
    expect((await storage.findLeftoverCopies()).map(({ path, origin }) => [path, origin])).toEqual([
      [RESTORE_NOTE.before, "a restore"],
    ]);
    await storage.removeCopies(await storage.findLeftoverCopies());
    expect(await storage.findLeftoverCopies()).toEqual([]);
  });

  testIfAvailable(
    "a restore whose pictures can't be read fails, and moves nothing away",
    async () => {
      await storage.put(`${FIRST_STEM}.jpg`, toBytes("one"));
      const unreadable = createFolder();
      await Bun.write(unreadable, "a file in place of the folder");
      const restoring = storage.createReplaceableContents().moveIn(unreadable, RESTORE_NOTE);
      await expect(restoring).rejects.toThrow("ENOTDIR");
      expect(await listShown()).toEqual([`${FIRST_STEM}.jpg`]);
    },
  );

  testIfAvailable("a restore that was killed halfway can be repeated", async () => {
    await storage.put(`${FIRST_STEM}.jpg`, toBytes("one"));
    for (const emptied of [false, true])
      await restore({ ...RESTORE_NOTE, emptied }, `${SECOND_STEM}.jpg`);
    expect(await listShown()).toEqual([`${SECOND_STEM}.jpg`]);
    expect(await storage.findLeftoverCopies()).toHaveLength(1);
  });

  testIfAvailable("an archive includes files of other programs, except hidden ones", async () => {
    for (const name of [`${FIRST_STEM}.jpg`, "notes.txt", ".site"])
      await storage.put(name, toBytes(name));
    const isListed = (path: string) => path === `${FIRST_STEM}.jpg`;
    const others = await Array.fromAsync(storage.readArchivableFiles(isListed, () => {}));
    expect(others).toMatchObject([{ path: "notes.txt", bytes: toBytes("notes.txt") }]);
  });

  testIfAvailable(
    "a picture is served only after it is made public, and a start removes what a crash left",
    async () => {
      const files = await openUploadFiles(storage, { listed: new Set() });
      const image = await acceptImage(await createPicture("jpeg", 330, 200));
      const variants = await createVariants(image);
      const filename = await files.storeUpload(image, variants);
      expect(await files.findPublicFile(filename)).toBeUndefined();
      expect(await files.findOriginal(filename)).toMatchObject({ size: image.bytes.length });
      await files.makeServable(filename);
      expect(await files.findPublicFile(filename)).toMatchObject({ contentType: "image/jpeg" });
      await files.hide(filename);
      const again = await openUploadFiles(storage, { listed: new Set([filename]) });
      expect(await again.findPublicFile(filename)).toMatchObject({ size: image.bytes.length });
      expect(await countUnlistedPictures(storage, [])).toBe(1);
      expect(await again.removeUpload(filename)).toBe(true);
      expect(await storage.listNames()).toEqual([]);
      const orphan = `${SECOND_STEM}-320.webp`;
      await storage.put(orphan, toBytes("orphan"));
      await openUploadFiles(storage, { listed: new Set(), isShared: true });
      expect(await storage.listNames()).toEqual([orphan]);
      await openUploadFiles(storage, { listed: new Set() });
      expect(await storage.listNames()).toEqual([]);
    },
  );

  testIfAvailable(
    "leftovers of interrupted uploads are removed after an hour, and all other files stay",
    async () => {
      const [three, four, five] = ["c", "d", "e"].map((letter) => letter.repeat(32));
      const listed = [`${FIRST_STEM}.jpg`, `${FIRST_STEM}-320.webp`];
      const binned = [`${SECOND_STEM}.jpg.unlisted`, `${SECOND_STEM}-320.webp`];
      const wanted = [...listed, ...binned, `${five}.jpg`, `${five}-320.webp`, "notes.txt"];
      const halfRenamed = [`${three}.jpg`, `${three}.jpg.unlisted`, `${three}-320.webp`];
      const left = [...halfRenamed, `${four}-320.webp`, `.health.${crypto.randomUUID()}.tmp`];
      for (const name of [...wanted, ...left]) await storage.put(name, toBytes(name));
      const listedFiles = async () => ({
        listed: new Set([`${FIRST_STEM}.jpg`]),
        binned: new Set([`${SECOND_STEM}.jpg`]),
      });
      await removeLeftovers(storage, listedFiles);
      expect(await listSorted()).toEqual([...wanted, ...left].toSorted());
      await removeLeftovers(storage, listedFiles, Date.now() + LATER_MS);
      expect(await listSorted()).toEqual(wanted.toSorted());
    },
  );
});

describe.skipIf(!hasSwift)("a bucket", () => {
  const NAME = `${FIRST_STEM}.webp`;
  const createSettings = (bucket: string, endpoint = swift.endpoint, region = "us-east-1") => ({
    UPLOADS_S3: `s3://${bucket}?endpoint=${endpoint}&region=${region}`,
  });
  const large = crypto.getRandomValues(new Uint8Array(60_000));
  let requests = 0;

  beforeEach(() => {
    proxy.reset();
    requests = 0;
    proxy.toServer = (sent) => {
      if (sent.toString("latin1", 0, 4) === "GET ") requests++;
      return sent;
    };
  });

  test("is asked once for a picture that many request, and again when the local copy is lost", async () => {
    const storage = openInBucket();
    await storage.put(NAME, large);
    const files = await Promise.all(Array.from({ length: 20 }, () => storage.fetchLocalFile(NAME)));
    expect(new Set(files.map((file) => file!.size))).toEqual(new Set([large.length]));
    await storage.fetchLocalFile(NAME);
    expect(requests).toBe(1);
    await rm(files[0]!.path);
    expect((await storage.fetchLocalFile(NAME))!.size).toBe(large.length);
    expect(requests).toBe(2);
    await storage.put(NAME, large.subarray(1));
    expect((await storage.fetchLocalFile(NAME))!.size).toBe(large.length - 1);
    await storage.remove([NAME]);
    expect(await storage.fetchLocalFile(NAME)).toBeUndefined();
    expect(await readdir(join(storage.folder, ".fetched"))).toEqual([]);
  });

  test("has local copies of its pictures up to a limit, beyond which the oldest copy is removed", async () => {
    const storage = openInBucket({ cache: 150_000 });
    const names = ["c", "d", "e"].map((letter) => `${letter.repeat(32)}.webp`);
    for (const name of names) await storage.put(name, large);
    for (const at of [0, 1, 0, 2]) await storage.fetchLocalFile(names[at]!);
    const cached = await readdir(join(storage.folder, ".fetched"));
    expect(cached.toSorted()).toEqual([names[1]!, names[2]!]);
    storage.pruneCache((name) => name === names[2]);
    await waitForValue(() => readdir(join(storage.folder, ".fetched")), [names[2]!]);
  });

  test("that disconnects in the middle of a picture is asked again, and no partial picture is stored", async () => {
    const storage = openInBucket();
    await storage.put(NAME, large);
    let cuts = 0;
    proxy.toClient = (sent, before) =>
      before + sent.length > 20_000 && ++cuts === 1 ? null : sent;
    expect((await storage.fetchLocalFile(NAME))!.size).toBe(large.length);
    expect(cuts).toBeGreaterThan(1);
    const other = openInBucket({ prefix: String(folderNumber - 1) });
    await other.put(NAME, large);
    proxy.toClient = (sent, before) => (before + sent.length > 20_000 ? null : sent);
    await expect(other.fetchLocalFile(NAME)).rejects.toMatchObject({ code: "cannot_store" });
    expect(await readdir(join(other.folder, ".fetched")).catch(() => [])).toEqual([]);
  });

  test("that is slow is reported after a while, and used again once it responds", async () => {
    const prefix = String(folderNumber);
    await openInBucket({ prefix }).put(NAME, large);
    const storage = openInBucket({ patience: 300, prefix });
    proxy.toClient = () => Buffer.alloc(0);
    const slow = `The picture bucket (pictures at 127.0.0.1:${proxy.port}) can't be used: it isn't responding.`;
    await expect(storage.fetchLocalFile(NAME)).rejects.toThrow(slow);
    await expect(storage.checkHealth()).rejects.toThrow(slow);
    expect(await storage.examine()).toMatchObject({ ok: false });
    proxy.reset();
    // On a busy machine a read may take longer than this timeout.
    const size = async () => (await storage.fetchLocalFile(NAME).catch(() => undefined))?.size;
    await waitForValue(size, large.length);
    await waitForValue(async () => (await storage.examine()).ok, true);
  });

  test.each([
    [
      "that isn't there",
      () => createSettings("nowhere"),
      "there is no such bucket. Check UPLOADS_S3",
    ],
    [
      "whose key is wrong",
      () => ({ S3_SECRET_ACCESS_KEY: "wrong" }),
      "it rejects the key. Check S3_",
    ],
    [
      "whose key has a wrong name",
      () => ({ S3_ACCESS_KEY_ID: "test:nobody" }),
      "it rejects the key.",
    ],
    ["whose store is away", () => createSettings("pictures", "http://127.0.0.1:9"), "it doesn't"],
    [
      "of another region",
      () => createSettings("pictures", swift.endpoint, "eu-1"),
      "it is in another region. Give its name in UPLOADS_S3, as region=eu-1",
    ],
  ])("%s is reported with a message", async (_, env: () => Record<string, string>, words) => {
    const storage = openInBucket({ env: env() });
    for (const work of [
      () => storage.listNames(),
      () => storage.put(NAME, large),
      () => storage.checkHealth(),
    ])
      await expect(work()).rejects.toThrow(words);
    expect((await storage.examine()).message).toContain(words);
  });
});

describe("environment variables of other programs", () => {
  const OTHERS = { AWS_REGION: "of-others", S3_REGION: "of-others" };
  const regions: string[] = [];
  let store: Bun.Server<undefined>;
  beforeAll(() => {
    store = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ headers }) {
        const [, region = ""] = /Credential=name\/\d+\/([^/]+)\//.exec(
          headers.get("authorization")!,
        )!;
        regions.push(region);
        return new Response(null, { status: 404 });
      },
    });
  });
  afterAll(() => store.stop(true));
  beforeEach(() => regions.splice(0));

  const runProgramWith = (env: Record<string, string>, ...args: string[]) =>
    Bun.spawn([process.execPath, ...args], {
      env: { ...OTHERS, PATH: process.env["PATH"] ?? "", ...env },
      stderr: "pipe",
    });
  const getAddress = () => `s3://pictures?endpoint=http://127.0.0.1:${store.port}`;

  test.each([
    ["&region=eu-7", "eu-7"],
    ["", "auto"],
  ])(
    "don't change the region that requests are signed with for a bucket URL ending in %p",
    async (region, named) => {
      await runProgramWith({}, join(import.meta.dir, "bucketRead.ts"), `${getAddress()}${region}`)
        .exited;
      expect(new Set(regions)).toEqual(new Set([named]));
    },
  );

  test("don't change the server, which is Amazon's if the bucket's URL names none", async () => {
    const theirs = `http://127.0.0.1:${store.port}`;
    const bucket = join(import.meta.dir, "../../../src/server/storage/pictures/bucket.ts");
    const script = `
      import { openBucket } from ${JSON.stringify(bucket)};
      const keys = { s3AccessKeyId: "name", s3SecretAccessKey: "secret" };
      const place = { bucket: "pictures", prefix: "", text: "s3://pictures" };
      const bucket = openBucket(place, keys, { label: "", setting: "", stallTimeoutMs: 1000 });
      console.log(await bucket.withClient(async (client) => client.presign("a.webp")));`;
    const signing = runProgramWith({ AWS_ENDPOINT: theirs, S3_ENDPOINT: theirs }, "-e", script);
    expect(await new Response(signing.stdout).text()).toStartWith(
      "https://s3.us-east-1.amazonaws.com/pictures/a.webp?",
    );
  });
});

describe.skipIf(!hasSwift)("a site whose pictures are in a bucket", () => {
  const CDN = "https://pictures.example.com";
  let site: Site;
  let stored: { id: string; url: string };
  beforeAll(async () => {
    site = await startSite({
      env: {
        UPLOADS_S3: `s3://pictures/site?endpoint=http://127.0.0.1:${proxy.port}&region=us-east-1`,
        S3_ACCESS_KEY_ID: swift.accessKeyId,
        S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
        UPLOADS_PUBLIC_URL: CDN,
      },
    });
    stored = await uploadTestPicture("stage.jpg", 400);
  });
  afterAll(() => site?.stop());
  beforeEach(() => proxy.reset());

  const fetchPath = (path: string, headers: Record<string, string> = {}) =>
    fetch(site.url + path, { headers });
  const removeLocalCopies = () =>
    rm(join(site.uploadsDir, ".fetched"), { recursive: true, force: true });
  const uploadTestPicture = async (name: string, width: number) =>
    uploadPicture(site, name, await createPicture("jpeg", width, 300));
  const openStorage = () => createPictureStorage(site.config);

  test("serves pictures whole, in ranges and with 304, as from a folder", async () => {
    for (const isCached of [false, true]) {
      if (!isCached) await removeLocalCopies();
      const whole = await fetchPath(stored.url);
      expect(whole.status).toBe(200);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        "content-type": "image/jpeg",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      });
      const { length } = await whole.bytes();
      if (!isCached) await removeLocalCopies();
      const part = await fetchPath(stored.url, { range: "bytes=2-11" });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes 2-11/${length}`,
      ]);
      expect((await part.bytes()).length).toBe(10);
      const etag = whole.headers.get("etag")!;
      expect((await fetchPath(stored.url, { "if-none-match": etag })).status).toBe(304);
    }
  });

  test("returns 404 for a picture missing from the bucket, and doesn't ask for unlisted ones", async () => {
    const other = await uploadTestPicture("gone.jpg", 340);
    const name = other.url.replace("/uploads/", "");
    await openStorage().remove([name]);
    await removeLocalCopies();
    expect((await fetchPath(other.url)).status).toBe(404);
    await (await site.owner()).delete(`/api/uploads/${other.id}`);
    let requests = 0;
    proxy.toServer = (sent) => {
      requests++;
      return sent;
    };
    for (const path of [
      other.url,
      `/uploads/${FIRST_STEM}.jpg`,
      stored.url.replace(".jpg", "-1999.webp"),
    ])
      expect((await fetchPath(path)).status).toBe(404);
    expect(requests).toBe(0);
  });

  test("returns 503 for pictures and refuses new ones while the bucket is unreachable, and recovers", async () => {
    // A picture that nobody has requested, so neither the disk nor memory has it.
    const unseen = await uploadTestPicture("unseen.jpg", 330);
    await removeLocalCopies();
    proxy.toServer = () => null;
    const { status, body } = await site.visitor().get(unseen.url);
    const words = "This image can't be shown right now. Try again in a few minutes.";
    expect([status, body.error]).toEqual([503, words]);
    const before = (await site.asOwner("GET", "/api/uploads")).length;
    await expect(uploadTestPicture("late.jpg", 340)).rejects.toThrow("couldn't be stored");
    expect((await site.asOwner("GET", "/api/uploads")).length).toBe(before);
    proxy.reset();
    expect((await fetchPath(unseen.url)).status).toBe(200);
  });

  test("removes the leftovers of an interrupted upload, however far it got, and nothing else", async () => {
    const names = async () => (await openStorage().listNames()).toSorted();
    const before = await names();
    const listOriginals = () => readListedOriginals(site.store);
    let left = 0;
    for (const until of [2, 3, 4, 5]) {
      let written = 0;
      proxy.toServer = (sent) => {
        if (sent.toString("latin1", 0, 4) === "PUT ") written++;
        return written < until ? sent : null;
      };
      await expect(uploadTestPicture("half.jpg", 700)).rejects.toThrow("couldn't be stored");
      proxy.reset();
      left = Math.max(left, (await names()).length - before.length);
      await removeLeftovers(openStorage(), listOriginals, Date.now() + LATER_MS);
      expect(await names()).toEqual(before);
    }
    expect(left).toBeGreaterThan(3);
  });

  test("uses its pictures' public URL in pages, in the content security policy and in /api/pictures", async () => {
    const hero = site.store.of(entities.hero);
    await hero.update((value) => ({ ...value, backgroundImage: stored.url }));
    const page = await fetchPath("/");
    const html = await page.text();
    expect(html).toContain(`src="${CDN}${stored.url}"`);
    expect(html).toContain(`${CDN}${stored.url.replace(".jpg", "-320.webp")} 320w`);
    expect(page.headers.get("content-security-policy")).toContain(`blob: ${CDN};`);
    expect(await (await fetchPath("/api/pictures")).json()).toMatchObject({
      [stored.url]: { at: CDN + stored.url },
    });
  });

  test("uses its pictures' public URL also in texts, icons, link previews and newsletters", async () => {
    const picture = `<p><img src="${stored.url}" alt="A stage" /></p>`;
    const [localUrl, cdnUrl] = [`"${stored.url}"`, `"${CDN}${stored.url}"`];
    await site.store.of(entities.about).update((value) => ({ ...value, content: picture }));
    await site.store
      .of(entities.sharing)
      .update((value) => ({ ...value, icon: stored.url, homePicture: stored.url }));
    const html = await (await fetchPath("/")).text();
    expect(/<img[^>]*alt="A stage"[^>]*>/.exec(html)![0]).toContain(`src=${cdnUrl}`);
    expect(/<link rel="icon"[^>]*>/.exec(html)![0]).toContain(`href=${cdnUrl}`);
    expect(/<meta property="og:image"[^>]*>/.exec(html)![0]).toContain(`content=${cdnUrl}`);
    expect(html).not.toContain(`src=${localUrl}`);

    const owner = await site.owner();
    const words = { subject: "News", body: picture };
    const preview = await owner.post("/api/letters/preview", words);
    expect(preview.body.html).toContain(`src=${cdnUrl}`);
    const { id } = (await owner.post("/api/letters", words)).body;
    await site.store
      .of(entities.letters)
      .update(id, (draft) => ({ ...draft, state: "sent", isPublic: true }));
    await owner.post("/api/letters/settings", { archive: true });
    const page = await fetchPath(`/letters/${id}`);
    expect(await page.text()).toContain(`src=${cdnUrl}`);
    expect(page.headers.get("content-security-policy")).toContain(`img-src 'self' ${CDN};`);
  });

  test("has its pictures in a backup, which can be restored into a folder or another bucket", async () => {
    const archive = join(root, "site.tar.gz");
    const data = createFolderEngine(site.dataDir);
    await saveArchive(archive, { data, uploads: openStorage() });
    const visible = async (storage: PictureStorage) =>
      (await storage.listNames()).filter((name) => !name.startsWith(".")).toSorted();
    const names = await visible(openStorage());
    for (const uploads of [createFolderStorage(createFolder()), openInBucket()]) {
      const restored = { data: createFolderEngine(createFolder()), uploads };
      await restoreArchive(archive, restored);
      expect(await visible(uploads)).toEqual(names);
      const wrong = (await examineSite(restored.data, uploads)).filter(({ ok }) => !ok);
      expect(wrong.map(({ message }) => message)).toEqual([
        "The picture gone.jpg in the trash is missing a file. Delete it permanently there.",
      ]);
      await uploads.remove([stored.url.replace("/uploads/", "")]);
      expect(
        (await examineSite(restored.data, uploads)).map(({ message }) => message),
      ).toContainEqual(expect.stringContaining("stage.jpg is missing a file"));
    }
  });

  test("does not start with the bucket of another site, or with one that doesn't respond, and reports why", async () => {
    const config = { ...site.config, dataDir: createFolder(), uploadsDir: createFolder() };
    await (
      await createFolderEngine(config.dataDir).open({ entities: allEntities, log() {} })
    ).close();
    await openStorage().put(".site", toBytes("another"));
    const refusal = () => openSite(config, () => {}).then(String, ({ message }) => message);
    expect(await refusal()).toMatch(
      /^The picture bucket site\/ in pictures at .* belongs to another/,
    );
    proxy.toServer = () => null;
    expect(await refusal()).toMatch(/^The picture bucket \(pictures at .* can't be used: /);
  });
});

test("a folder that doesn't exist, or is empty, has no pictures", async () => {
  const storage = createFolderStorage(createFolder());
  expect(await storage.listNames()).toEqual([]);
  expect(await storage.listFiles()).toEqual([]);
  await mkdir(storage.folder);
  expect(await storage.read("none")).toBeUndefined();
});
