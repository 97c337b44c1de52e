import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities, type Item } from "../../../src/schema/index.ts";
import { examineSite } from "../../../src/server/backup/siteChecks.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { readListedOriginals, openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { UploadLibrary } from "../../../src/server/uploads/uploadLibrary.ts";
import { editStoredFile } from "../../support/editStoredFile.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { readFiles } from "../../support/storedTexts.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";
import { runProgram, toSiteFolder, startProgram } from "../../support/program.ts";
import { createStoppedSite, withStoppedSite, OWNER } from "./stoppedSite.ts";

const getPath = setUpFolderForEach();
const getDataPath = (...names: string[]) => getPath("data", ...names);
const getUploadsPath = (...names: string[]) => getPath("uploads", ...names);

/** A site with a picture, of which each test gets a copy. */
let intactFolder = "";
beforeAll(async () => {
  intactFolder = await mkdtemp(join(tmpdir(), "limelight-intact-"));
  await createStoppedSite(intactFolder, async (store) => {
    const files = await openUploadFiles(openSiteStorage(intactFolder).uploads, {
      listed: new Set(),
    });
    const document = store.of(entities.uploads);
    const library = new UploadLibrary({ files, document, bin: new Bin(store) });
    const picture = await Bun.file("tests/support/pictures/full-house.jpg").bytes();
    await library.addPicture(picture, "full house.jpg");
  });
});
beforeEach(() => void Bun.spawnSync(["cp", "-a", `${intactFolder}/.`, getPath()]));
afterAll(() => rm(intactFolder, { recursive: true }));

const examine = () =>
  examineSite(openSiteStorage(getPath()).data, openSiteStorage(getPath()).uploads);
const findProblems = async () =>
  (await examine()).filter(({ ok }) => !ok).map(({ message }) => message);
const runDoctor = (...args: string[]) => runProgram(toSiteFolder(getPath()), ["doctor", ...args]);

const damageFile = (file: string, text: string | Uint8Array = "{") => writeFile(file, text);
/** Changes a file and its copy. */
const changeBoth = async (name: string, change: (file: string) => Promise<void>) => {
  for (const file of [name, `${name}.bak`]) await change(getDataPath(file));
};
const createSealedEdit = (from: string | RegExp, to: string) => (file: string) =>
  editStoredFile(file, (text) => text.replace(from, to));
const makeNewer = createSealedEdit(/"version":\d+/, '"version":9');
/** Edits a file by hand, as with an editor. */
const editByHand = async (name: string, from: string | RegExp, to: string): Promise<string> => {
  const text = (await readFile(getDataPath(name), "utf8")).replace(from, to);
  await writeFile(getDataPath(name), text);
  return text;
};
const renameByHand = () => editByHand("site.json", /"name":"[^"]*"/, '"name":"By Hand"');

test("doctor finds no problem in an intact site, also while the site is running", async () => {
  expect(await findProblems()).toEqual([]);
  expect(await withStoppedSite(getPath(), findProblems)).toEqual([]);
});

test("doctor reports that another site is served at the configured host and port", async () => {
  const other = await startProgram();
  const env = { HOST: "127.0.0.1", PORT: new URL(other.url).port };
  const { out } = await withStoppedSite(getPath(), () =>
    runProgram(toSiteFolder(getPath()), ["doctor"], "", env),
  );
  await other.stop();
  expect(out).toContain(`but ${other.url}/api/health/attention belongs to another site,`);
});

test("an intact picture in the trash from any release isn't reported as damaged, and its files stay", async () => {
  const { uploads: pictures } = openSiteStorage(getPath());
  let filename = "";
  await withStoppedSite(getPath(), async (store) => {
    const bin = new Bin(store);
    const files = await openUploadFiles(pictures, await readListedOriginals(store));
    const library = new UploadLibrary({ files, document: store.of(entities.uploads), bin });
    const [picture] = library.list();
    filename = picture!.filename;
    await library.removePicture(picture!.id);
    // An entry from a release before checksums.
    await store.of(entities.bin).update(picture!.id, (row) => {
      const { checksum: _, cuts: _cuts, tone: _tone, ...item } = row.item as Item<"uploads">;
      return { ...row, item };
    });
  });
  expect(await findProblems()).toEqual([]);
  const saved = await saveArchive(getPath("site.tar.gz"), openSiteStorage(getPath()));
  expect(saved.remarks).toEqual([]);
  // Data of a later release, which this one can't read.
  await withStoppedSite(getPath(), async (store) => {
    await store.of(entities.bin).updateWhere({}, (row) => ({ ...row, version: 99 }));
    await openUploadFiles(pictures, await readListedOriginals(store));
  });
  expect(await pictures.listNames()).toContain(`${filename}.unlisted`);
  expect(await findProblems()).toEqual([]);
});

const UNLISTED = `${"0123456789abcdef".repeat(2)}.png`;

const PROBLEM_CASES: readonly (readonly [string, spoil: () => Promise<unknown>, words: string])[] =
  [
    [
      "a torn file, with the copy that stands beside it",
      async () =>
        damageFile(
          getDataPath("hero.json"),
          (await readFile(getDataPath("hero.json"))).subarray(0, 99),
        ),
      "hero.json is missing or can't be read. The next start uses its copy",
    ],
    [
      "a torn marker",
      () => damageFile(getDataPath("installation.json")),
      "installation.json is missing or",
    ],
    [
      "invalid values",
      () => createSealedEdit("#00BFFF", "}*{display:none")(getDataPath("styles.json")),
      "styles.json contains invalid values",
    ],
    ["a file of a newer version", () => makeNewer(getDataPath("site.json")), "newer release"],
    [
      "a picture without its file, as its owner knows it",
      async () =>
        rm(
          getUploadsPath((await readdir(getUploadsPath())).find((name) => name.includes("-320"))!),
        ),
      "full house.jpg is missing a file",
    ],
    [
      "a picture that the site does not list",
      () => damageFile(getUploadsPath(UNLISTED)),
      `contains pictures that aren't in the site's list: ${UNLISTED}.`,
    ],
    [
      "an empty list of owners",
      () => withStoppedSite(getPath(), (store) => store.of(entities.users).update(() => [])),
      "limelight admin create",
    ],
    ["folders that others can look into", () => chmod(getDataPath(), 0o755), "chmod 700 "],
    [
      "a segment that is lost, though nothing else tells of it",
      () => changeBoth("form-submissions/segments.json", createSealedEdit('"last":1', '"last":2')),
      "form-submissions/000002.json is missing, and so is its copy",
    ],
    ["a file that was changed by hand", renameByHand, "limelight doctor --accept"],
    ...[
      "hero.json",
      "installation.json",
      "form-submissions/000001.json",
      "form-submissions/segments.json",
    ].map((name) => {
      const words = `${name}.bak is missing or can't be read`;
      return [
        `a torn copy of ${name}`,
        () => damageFile(getDataPath(`${name}.bak`)),
        words,
      ] as const;
    }),
  ];

test.each(PROBLEM_CASES)("doctor reports %s", async (_, work, words) => {
  await work();
  expect(await findProblems()).toEqual([expect.stringContaining(words)]);
});

test("doctor names a picture if its original or a variant is truncated", async () => {
  const names = await readdir(getUploadsPath());
  for (const ending of [".jpg", "-640.webp"]) {
    const file = getUploadsPath(names.find((each) => each.endsWith(ending))!);
    const whole = await readFile(file);
    await damageFile(file, whole.subarray(0, whole.length / 2));
    expect(await findProblems()).toEqual([
      expect.stringContaining("full house.jpg has a damaged file"),
    ]);
    await damageFile(file, whole);
  }
  expect(await findProblems()).toEqual([]);
});

test("doctor counts a picture as listed if only the copy of the list of pictures names it", async () => {
  const before = await readFile(getDataPath("uploads.json"));
  await withStoppedSite(getPath(), async (store) => {
    const list = store.of(entities.uploads);
    const [picture] = list.read().value;
    const filename = UNLISTED.replace("png", "jpg");
    await copyFile(getUploadsPath(picture!.filename), getUploadsPath(filename));
    const another = { ...picture!, id: OWNER.id, filename, widths: [] };
    await list.update((all) => [...all, another]);
  });
  await damageFile(getDataPath("uploads.json"), before);
  expect((await findProblems()).filter((each) => each.includes("does not list"))).toEqual([]);
});

test.each<[string, () => Promise<unknown>]>([
  [
    "a document that contradicts its copy",
    () => createSealedEdit(/"name":"[^"]*"/, '"name":"Another"')(getDataPath("site.json")),
  ],
  [
    "a segment that is older than its list says, and its copy",
    () =>
      changeBoth(
        "form-submissions/segments.json",
        createSealedEdit(/"revisions":\{[^}]*\}/, '"revisions":{"1":999999}'),
      ),
  ],
  [
    "a folder that is a file",
    () =>
      rm(getDataPath("history", "hero"), { recursive: true }).then(() =>
        damageFile(getDataPath("history/hero")),
      ),
  ],
  ["data without its marker", () => changeBoth("installation.json", (file) => rm(file))],
])("doctor reports what prevents a start with the start's own message: %s", async (_, work) => {
  await work();
  const refusal = await withStoppedSite(getPath(), async () => "it starts").catch(
    (error: Error) => error.message,
  );
  expect((await examine()).filter(({ blocksStart }) => blocksStart)).toEqual([
    expect.objectContaining({ ok: false, blocksStart: true, message: refusal }),
  ]);
});

test("doctor changes no file", async () => {
  await damageFile(getDataPath("hero.json"));
  const before = await readFiles(getPath());
  await findProblems();
  expect(await readFiles(getPath())).toEqual(before);
});

test("doctor reports all lost and all damaged files at once", async () => {
  for (const name of ["hero.json", "site.json"]) await changeBoth(name, (file) => rm(file));
  await damageFile(getDataPath("styles.json"));
  expect((await findProblems()).toSorted()).toEqual([
    expect.stringContaining("hero.json is missing, and so is its copy"),
    expect.stringContaining("site.json is missing, and so is its copy"),
    expect.stringContaining(
      "styles.json is missing or can't be read. The next start uses its copy",
    ),
  ]);
});

test("doctor reports that a folder contains no site", async () => {
  const nowhere = openSiteStorage("/nonexistent");
  expect(await examineSite(nowhere.data, nowhere.uploads)).toEqual([
    {
      ok: false,
      isDataLoss: true,
      message: expect.stringContaining("There is no site in /nonexistent"),
    },
  ]);
});

describe("copies that restores, damage and migrations left", () => {
  /** Each copy, with its description. */
  const COPIES: Readonly<Record<string, string>> = {
    "data/.before-restore-2026-11-01/hero.json":
      ".before-restore-2026-11-01 (1 KB) is left over from a restore;",
    "data/.restore-2026-11-01/data/hero.json":
      ".restore-2026-11-01 (1 KB) is left over from an interrupted restore;",
    "data/hero.json.bad-20261101T120000000Z":
      "hero.json.bad-20261101T120000000Z (1 KB) is left over from damage;",
    "data/form-submissions/000001.json.bad-20261101T120000000Z":
      "form-submissions/000001.json.bad-20261101T120000000Z (1 KB) is left over from damage;",
    "data/migrations/hero.v1-r3.json":
      "migrations/hero.v1-r3.json (1 KB) is left over from a migration;",
    "data/migrations/form-submissions/000001.v1.json":
      "migrations/form-submissions/000001.v1.json (1 KB) is left over from a migration;",
    "uploads/.before-restore-2026-11-01/a.jpg":
      ".before-restore-2026-11-01 (1 KB) is left over from a restore;",
  };
  const paths = Object.keys(COPIES);
  const checkExistence = () => Promise.all(paths.map((path) => Bun.file(getPath(path)).exists()));
  beforeEach(async () => {
    for (const path of paths) await Bun.write(getPath(path), "{");
  });

  test("are listed by doctor but aren't problems, and doctor --remove-copies removes them", async () => {
    const { out: listed, code } = await runDoctor();
    expect(code).toBe(0);
    for (const line of Object.values(COPIES)) expect(listed).toContain(line);
    expect(await checkExistence()).not.toContain(false);
    const { out } = await runDoctor("--remove-copies");
    expect(out.match(/Removed /g)?.length).toBe(paths.length);
    expect(out).not.toContain("was kept by");
    expect(await checkExistence()).not.toContain(true);
    expect(await findProblems()).toEqual([]);
  });

  test("aren't removed while the site is running or can't start", async () => {
    const code = async () => (await runDoctor("--remove-copies")).code;
    expect(await withStoppedSite(getPath(), code)).toBe(2);
    await changeBoth("hero.json", (file) => rm(file));
    expect(await code()).toBe(2);
    expect(await checkExistence()).not.toContain(false);
  });
});

test("doctor --json prints the findings as JSON, and the exit code says whether there is a problem", async () => {
  const report = async () => {
    const { code, out } = await runDoctor("--json");
    return { code, ...JSON.parse(out) };
  };
  expect(await report()).toMatchObject({ code: 0, well: true, starts: true });
  await damageFile(getDataPath("hero.json.bak"));
  expect(await report()).toMatchObject({ code: 1, well: false, starts: true });
  await damageFile(getDataPath("hero.json"));
  const lost = await report();
  expect(lost).toMatchObject({ code: 1, starts: false });
  const message = expect.stringContaining("hero.json");
  expect(lost.findings).toContainEqual({ ok: false, blocksStart: true, isLoss: true, message });
});

test("doctor lists a file edited by hand before intact parts, and doctor --accept accepts the edit", async () => {
  await renameByHand();
  const listed = await runDoctor();
  const kinds = [...listed.out.matchAll(/^(REFUSED|PROBLEM|ok) /gm)].map(([, kind]) => kind);
  expect([listed.code, ...kinds.slice(0, 2)]).toEqual([1, "PROBLEM", "ok"]);
  expect(kinds.lastIndexOf("PROBLEM")).toBeLessThan(kinds.indexOf("ok"));
  const { code, out } = await runDoctor("--accept");
  expect([code, out]).toEqual([0, expect.stringContaining("site.json was accepted as edited.")]);
  expect(await findProblems()).toEqual([]);
  const name = async () =>
    (await openSiteStorage(getPath()).data.readDocument(entities.site))?.name;
  expect(await name()).toBe("By Hand");
});

test("doctor --accept refuses an invalid edit by hand", async () => {
  const text = await editByHand("styles.json", "#00BFFF", "}*{display:none");
  const { code, out } = await runDoctor("--accept");
  expect([code, out]).toEqual([1, expect.stringContaining("styles.json can't be accepted")]);
  expect(await readFile(getDataPath("styles.json"), "utf8")).toBe(text);
});
