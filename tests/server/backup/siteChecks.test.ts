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
import { editSealed } from "../../support/editSealed.ts";
import { folderForEach } from "../../support/folderForEach.ts";
import { filesIn } from "../../support/keptTexts.ts";
import { openSiteStorage } from "../../support/placesIn.ts";
import { runProgram, siteIn, startProgram } from "../../support/program.ts";
import { makeStopped, onStopped, OWNER } from "./stoppedSite.ts";

const at = folderForEach();
const data = (...names: string[]) => at("data", ...names);
const uploads = (...names: string[]) => at("uploads", ...names);

/** A site with a picture, which each test has a copy of. */
let intact = "";
beforeAll(async () => {
  intact = await mkdtemp(join(tmpdir(), "limelight-intact-"));
  await makeStopped(intact, async (store) => {
    const files = await openUploadFiles(openSiteStorage(intact).uploads, { listed: new Set() });
    const document = store.of(entities.uploads);
    const library = new UploadLibrary({ files, document, bin: new Bin(store) });
    const picture = await Bun.file("tests/support/pictures/full-house.jpg").bytes();
    await library.addPicture(picture, "full house.jpg");
  });
});
beforeEach(() => void Bun.spawnSync(["cp", "-a", `${intact}/.`, at()]));
afterAll(() => rm(intact, { recursive: true }));

const findings = () => examineSite(openSiteStorage(at()).data, openSiteStorage(at()).uploads);
const problems = async () =>
  (await findings()).filter(({ ok }) => !ok).map(({ message }) => message);
const doctor = (...args: string[]) => runProgram(siteIn(at()), ["doctor", ...args]);

const spoil = (file: string, text: string | Uint8Array = "{") => writeFile(file, text);
/** A file and its copy. */
const both = async (name: string, change: (file: string) => Promise<void>) => {
  for (const file of [name, `${name}.bak`]) await change(data(file));
};
const seal = (from: string | RegExp, to: string) => (file: string) =>
  editSealed(file, (text) => text.replace(from, to));
const newer = seal(/"version":\d+/, '"version":9');
/** Edits a file by hand, as with an editor. */
const byHand = async (name: string, from: string | RegExp, to: string): Promise<string> => {
  const text = (await readFile(data(name), "utf8")).replace(from, to);
  await writeFile(data(name), text);
  return text;
};
const rename = () => byHand("site.json", /"name":"[^"]*"/, '"name":"By Hand"');

test("an intact site has no problem, also while it is running", async () => {
  expect(await problems()).toEqual([]);
  expect(await onStopped(at(), problems)).toEqual([]);
});

test("the doctor asks no other site that is served at the address", async () => {
  const other = await startProgram();
  const env = { HOST: "127.0.0.1", PORT: new URL(other.url).port };
  const { out } = await onStopped(at(), () => runProgram(siteIn(at()), ["doctor"], "", env));
  await other.stop();
  expect(out).toContain(`but ${other.url}/api/health/attention belongs to another site,`);
});

test("an intact picture in the trash, of any release, is never reported as damaged, and its files stay", async () => {
  const { uploads: pictures } = openSiteStorage(at());
  let filename = "";
  await onStopped(at(), async (store) => {
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
  expect(await problems()).toEqual([]);
  const saved = await saveArchive(at("site.tar.gz"), openSiteStorage(at()));
  expect(saved.problems).toEqual([]);
  // Data of a later release, which this one can't read.
  await onStopped(at(), async (store) => {
    await store.of(entities.bin).updateWhere({}, (row) => ({ ...row, version: 99 }));
    await openUploadFiles(pictures, await readListedOriginals(store));
  });
  expect(await pictures.listNames()).toContain(`${filename}.unlisted`);
  expect(await problems()).toEqual([]);
});

const UNLISTED = `${"0123456789abcdef".repeat(2)}.png`;

const PROBLEMS: readonly (readonly [string, spoil: () => Promise<unknown>, words: string])[] = [
  [
    "a torn file, with the copy that stands beside it",
    async () => spoil(data("hero.json"), (await readFile(data("hero.json"))).subarray(0, 99)),
    "hero.json is missing or can't be read. The next start uses its copy",
  ],
  ["a torn marker", () => spoil(data("installation.json")), "installation.json is missing or"],
  [
    "invalid values",
    () => seal("#00BFFF", "}*{display:none")(data("styles.json")),
    "styles.json contains invalid values",
  ],
  ["a file of a newer version", () => newer(data("site.json")), "newer release"],
  [
    "a picture without its file, as its owner knows it",
    async () => rm(uploads((await readdir(uploads())).find((name) => name.includes("-320"))!)),
    "full house.jpg is missing a file",
  ],
  [
    "a picture that the site does not list",
    () => spoil(uploads(UNLISTED)),
    `contains pictures that aren't in the site's list: ${UNLISTED}.`,
  ],
  [
    "an empty list of owners",
    () => onStopped(at(), (store) => store.of(entities.users).update(() => [])),
    "limelight admin create",
  ],
  ["folders that others can look into", () => chmod(data(), 0o755), "chmod 700 "],
  [
    "a segment that is lost, though nothing else tells of it",
    () => both("form-submissions/segments.json", seal('"last":1', '"last":2')),
    "form-submissions/000002.json is missing, and so is its copy",
  ],
  ["a file that was changed by hand", rename, "limelight doctor --accept"],
  ...[
    "hero.json",
    "installation.json",
    "form-submissions/000001.json",
    "form-submissions/segments.json",
  ].map((name) => {
    const words = `${name}.bak is missing or can't be read`;
    return [`a torn copy of ${name}`, () => spoil(data(`${name}.bak`)), words] as const;
  }),
];

test.each(PROBLEMS)("%s is reported by name", async (_, work, words) => {
  await work();
  expect(await problems()).toEqual([expect.stringContaining(words)]);
});

test("a truncated picture and a truncated variant are reported by name", async () => {
  const names = await readdir(uploads());
  for (const ending of [".jpg", "-640.webp"]) {
    const file = uploads(names.find((each) => each.endsWith(ending))!);
    const whole = await readFile(file);
    await spoil(file, whole.subarray(0, whole.length / 2));
    expect(await problems()).toEqual([
      expect.stringContaining("full house.jpg has a damaged file"),
    ]);
    await spoil(file, whole);
  }
  expect(await problems()).toEqual([]);
});

test("a picture whose listing is under way or was interrupted counts as listed, since a start reads the copy, which is written first", async () => {
  const before = await readFile(data("uploads.json"));
  await onStopped(at(), async (store) => {
    const list = store.of(entities.uploads);
    const [picture] = list.read().value;
    const filename = UNLISTED.replace("png", "jpg");
    await copyFile(uploads(picture!.filename), uploads(filename));
    const another = { ...picture!, id: OWNER.id, filename, widths: [] };
    await list.update((all) => [...all, another]);
  });
  await spoil(data("uploads.json"), before);
  expect((await problems()).filter((each) => each.includes("does not list"))).toEqual([]);
});

test.each<[string, () => Promise<unknown>]>([
  [
    "a document that contradicts its copy",
    () => seal(/"name":"[^"]*"/, '"name":"Another"')(data("site.json")),
  ],
  [
    "a segment that is older than its list says, and its copy",
    () =>
      both(
        "form-submissions/segments.json",
        seal(/"revisions":\{[^}]*\}/, '"revisions":{"1":999999}'),
      ),
  ],
  [
    "a folder that is a file",
    () => rm(data("history", "hero"), { recursive: true }).then(() => spoil(data("history/hero"))),
  ],
  ["data without its marker", () => both("installation.json", (file) => rm(file))],
])("doctor reports what a start refuses with the start's own message: %s", async (_, work) => {
  await work();
  const refusal = await onStopped(at(), async () => "it starts").catch(
    (error: Error) => error.message,
  );
  expect((await findings()).filter(({ blocksStart }) => blocksStart)).toEqual([
    expect.objectContaining({ ok: false, blocksStart: true, message: refusal }),
  ]);
});

test("doctor changes nothing", async () => {
  await spoil(data("hero.json"));
  const before = await filesIn(at());
  await problems();
  expect(await filesIn(at())).toEqual(before);
});

test("all losses are reported at once, and all damage too", async () => {
  for (const name of ["hero.json", "site.json"]) await both(name, (file) => rm(file));
  await spoil(data("styles.json"));
  expect((await problems()).toSorted()).toEqual([
    expect.stringContaining("hero.json is missing, and so is its copy"),
    expect.stringContaining("site.json is missing, and so is its copy"),
    expect.stringContaining(
      "styles.json is missing or can't be read. The next start uses its copy",
    ),
  ]);
});

test("a folder without a site is reported as such", async () => {
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
  const checkExistence = () => Promise.all(paths.map((path) => Bun.file(at(path)).exists()));
  beforeEach(async () => {
    for (const path of paths) await Bun.write(at(path), "{");
  });

  test("are listed, aren't a problem, and are removed when the owner asks, and nothing else is", async () => {
    const { out: listed, code } = await doctor();
    expect(code).toBe(0);
    for (const line of Object.values(COPIES)) expect(listed).toContain(line);
    expect(await checkExistence()).not.toContain(false);
    const { out } = await doctor("--remove-copies");
    expect(out.match(/Removed /g)?.length).toBe(paths.length);
    expect(out).not.toContain("was kept by");
    expect(await checkExistence()).not.toContain(true);
    expect(await problems()).toEqual([]);
  });

  test("stay while the site runs, and while it can't start", async () => {
    const code = async () => (await doctor("--remove-copies")).code;
    expect(await onStopped(at(), code)).toBe(2);
    await both("hero.json", (file) => rm(file));
    expect(await code()).toBe(2);
    expect(await checkExistence()).not.toContain(false);
  });
});

test("a script can read the findings as JSON, and the exit code", async () => {
  const report = async () => {
    const { code, out } = await doctor("--json");
    return { code, ...JSON.parse(out) };
  };
  expect(await report()).toMatchObject({ code: 0, well: true, starts: true });
  await spoil(data("hero.json.bak"));
  expect(await report()).toMatchObject({ code: 1, well: false, starts: true });
  await spoil(data("hero.json"));
  const lost = await report();
  expect(lost).toMatchObject({ code: 1, starts: false });
  const message = expect.stringContaining("hero.json");
  expect(lost.findings).toContainEqual({ ok: false, blocksStart: true, isLoss: true, message });
});

test("a file edited by hand is listed before intact parts, and accepted when the owner asks", async () => {
  await rename();
  const listed = await doctor();
  const kinds = [...listed.out.matchAll(/^(REFUSED|PROBLEM|ok) /gm)].map(([, kind]) => kind);
  expect([listed.code, ...kinds.slice(0, 2)]).toEqual([1, "PROBLEM", "ok"]);
  expect(kinds.lastIndexOf("PROBLEM")).toBeLessThan(kinds.indexOf("ok"));
  const { code, out } = await doctor("--accept");
  expect([code, out]).toEqual([0, expect.stringContaining("site.json was accepted as edited.")]);
  expect(await problems()).toEqual([]);
  const name = async () => (await openSiteStorage(at()).data.readDocument(entities.site))?.name;
  expect(await name()).toBe("By Hand");
});

test("an invalid edit by hand is not accepted", async () => {
  const text = await byHand("styles.json", "#00BFFF", "}*{display:none");
  const { code, out } = await doctor("--accept");
  expect([code, out]).toEqual([1, expect.stringContaining("styles.json can't be accepted")]);
  expect(await readFile(data("styles.json"), "utf8")).toBe(text);
});
