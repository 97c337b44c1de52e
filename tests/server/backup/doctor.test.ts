import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities, allEntities } from "../../../src/schema/index.ts";
import { folderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { examine } from "../../../src/server/backup/doctor.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import { NO_SECOND_FACTOR } from "../../../src/server/accounts/owners.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { editSealed } from "../../support/editSealed.ts";
import { filesIn } from "../../support/keptTexts.ts";
import { program } from "../../support/program.ts";
import { uploadLibrary } from "../../../src/server/uploads/uploadLibrary.ts";

const OWNER = {
  id: "019a0000-0000-7000-8000-000000000001",
  username: "ada",
  email: "ada@example.com",
  role: "admin",
  passwordHash: "none",
  createdAt: "2026-11-20T10:00:00.000Z",
  ...NO_SECOND_FACTOR,
  loginsSeenAt: null,
};

let folders = { data: "", uploads: "" };

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "limelight-doctor-"));
  folders = { data: join(root, "data"), uploads: join(root, "uploads") };
  await mkdir(folders.uploads, { mode: 0o700 });
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  const files = await openUploadFiles(folderStorage(folders.uploads), { listed: new Set() });
  const library = uploadLibrary({
    files,
    document: store.of(entities.uploads),
    bin: openBin(store),
  });
  await library.add(
    await Bun.file("tests/support/pictures/full-house.jpg").bytes(),
    "full house.jpg",
  );
  await store.of(entities.users).update(() => [OWNER]);
  await store.close();
});
afterEach(() => rm(join(folders.data, ".."), { recursive: true }));

const problems = async () =>
  (await examine(folderEngine(folders.data), folderStorage(folders.uploads)))
    .filter((finding) => !finding.ok)
    .map((finding) => finding.message);

test("a site as it should be has no problem", async () => {
  expect(await problems()).toEqual([]);
});

test("a torn file is named, with the copy that stands beside it", async () => {
  const text = await readFile(join(folders.data, "hero.json"), "utf8");
  await writeFile(join(folders.data, "hero.json"), text.slice(0, text.length / 2));
  expect(await problems()).toEqual([
    expect.stringContaining("hero.json is missing or can't be read"),
  ]);
});

test("values that don't fit are named", async () => {
  const file = join(folders.data, "styles.json");
  await editSealed(file, (text) => text.replace("#00BFFF", "}*{display:none"));
  expect(await problems()).toEqual([
    expect.stringContaining("styles.json holds values that don't fit"),
  ]);
});

test("a file of a newer version is named", async () => {
  const file = join(folders.data, "site.json");
  await editSealed(file, (text) => text.replace(/"version":\d+/, '"version":9'));
  expect(await problems()).toEqual([expect.stringContaining("newer release")]);
});

test("a picture without its file is named as its owner knows it", async () => {
  const [name] = await Array.fromAsync(new Bun.Glob("*-320.webp").scan(folders.uploads));
  await rm(join(folders.uploads, name!));
  expect(await problems()).toEqual([expect.stringContaining("full house.jpg has lost a file")]);
});

test("a halved picture and a halved variant are named", async () => {
  const names = await readdir(folders.uploads);
  for (const name of [
    names.find((each) => each.endsWith(".jpg"))!,
    names.find((each) => each.endsWith("-640.webp"))!,
  ]) {
    const file = join(folders.uploads, name);
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, whole.length / 2));
    expect(await problems()).toEqual([
      expect.stringContaining("full house.jpg has a damaged file"),
    ]);
    await writeFile(file, whole);
  }
  expect(await problems()).toEqual([]);
});

test("a picture that the site does not list is named", async () => {
  const name = `${"0123456789abcdef".repeat(2)}.png`;
  await writeFile(join(folders.uploads, name), "x");
  expect(await problems()).toEqual([
    expect.stringContaining(`holds pictures that the site does not list: ${name}.`),
  ]);
});

test("a picture whose listing is under way, or was cut short, is listed: a start takes the copy, which is written first", async () => {
  const list = join(folders.data, "uploads.json");
  const before = await readFile(list);
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  const uploads = store.of(entities.uploads);
  const [picture] = uploads.read().value;
  const filename = `${"0123456789abcdef".repeat(2)}.jpg`;
  await copyFile(join(folders.uploads, picture!.filename), join(folders.uploads, filename));
  const another = { ...picture!, id: OWNER.id, filename, widths: [] };
  await uploads.update((all) => [...all, another]);
  await store.close();
  await writeFile(list, before);
  expect((await problems()).filter((each) => each.includes("does not list"))).toEqual([]);
});

test.each([
  "hero.json",
  "installation.json",
  "form-submissions/000001.json",
  "form-submissions/segments.json",
])("a torn copy of %s is named, though the file itself is whole", async (name) => {
  await writeFile(join(folders.data, `${name}.bak`), "{");
  expect(await problems()).toEqual([
    expect.stringContaining(`${name}.bak is missing or can't be read`),
  ]);
});

test("an empty list of owners is named", async () => {
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  await store.of(entities.users).update(() => []);
  await store.close();
  expect(await problems()).toEqual([expect.stringContaining("limelight admin create")]);
});

describe("what a start refuses is said in its own words:", () => {
  const both = async (name: string, change: (text: string) => string) => {
    for (const file of [name, `${name}.bak`]) await editSealed(join(folders.data, file), change);
  };
  const cases: Record<string, () => Promise<unknown>> = {
    "a document that contradicts its copy": () =>
      editSealed(join(folders.data, "site.json"), (text) =>
        text.replace(/"name":"[^"]*"/, '"name":"Another"'),
      ),
    "a segment that is older than its list says, and its copy": () =>
      both("form-submissions/segments.json", (text) =>
        text.replace(/"revisions":\{[^}]*\}/, '"revisions":{"1":999999}'),
      ),
    "a folder that is a file": async () => {
      await rm(join(folders.data, "history", "hero"), { recursive: true });
      await writeFile(join(folders.data, "history", "hero"), "x");
    },
    "data without its marker": async () => {
      for (const name of ["installation.json", "installation.json.bak"])
        await rm(join(folders.data, name));
    },
  };
  test.each(Object.entries(cases))("%s", async (_, spoil) => {
    await spoil();
    const findings = await examine(folderEngine(folders.data), folderStorage(folders.uploads));
    const refusal = await folderEngine(folders.data)
      .open({ entities: allEntities, log: () => {} })
      .then(
        () => "it starts",
        (error: Error) => error.message,
      );
    expect(findings.filter(({ refuses }) => refuses)).toEqual([
      { ok: false, refuses: true, message: refusal },
    ]);
  });
});

test("looking changes nothing", async () => {
  await writeFile(join(folders.data, "hero.json"), "{");
  const before = await filesIn(folders.data);
  await problems();
  expect(await filesIn(folders.data)).toEqual(before);
});

describe("copies that restores, damage and migrations left", () => {
  const COPIES = {
    "data/.before-restore-2026-11-01/hero.json": "an earlier one",
    "data/.restore-2026-11-01/data/hero.json": "half of an archive",
    "data/hero.json.bad-20261101T120000000Z": "{",
    "data/form-submissions/000001.json.bad-20261101T120000000Z": "{",
    "data/migrations/hero.v1-r3.json": "{}",
    "data/migrations/form-submissions/000001.v1.json": "[]",
    "uploads/.before-restore-2026-11-01/a.jpg": "an earlier one",
  };
  const there = async () =>
    Promise.all(
      Object.keys(COPIES).map((path) => Bun.file(join(folders.data, "..", path)).exists()),
    );
  beforeEach(async () => {
    for (const [path, text] of Object.entries(COPIES))
      await Bun.write(join(folders.data, "..", path), text);
  });

  test("are listed, and no problem", async () => {
    const { stdout, exitCode } = await doctorCommand();
    expect(exitCode).toBe(0);
    for (const line of [
      ".before-restore-2026-11-01 (1 KB) was kept by a restore;",
      ".restore-2026-11-01 (1 KB) was kept by a restore that was cut short;",
      "hero.json.bad-20261101T120000000Z (1 KB) was kept by damage;",
      "form-submissions/000001.json.bad-20261101T120000000Z (1 KB) was kept by damage;",
      "migrations/hero.v1-r3.json (1 KB) was kept by a migration;",
      "migrations/form-submissions/000001.v1.json (1 KB) was kept by a migration;",
    ])
      expect(stdout).toContain(line);
    expect(await there()).not.toContain(false);
  });

  test("are removed when the owner says so, and nothing else", async () => {
    const { stdout, exitCode } = await doctorCommand("--remove-copies");
    expect(exitCode).toBe(0);
    expect(stdout.match(/Removed /g)?.length).toBe(Object.keys(COPIES).length);
    expect(stdout).not.toContain("was kept by");
    expect(await there()).not.toContain(true);
    expect(await problems()).toEqual([]);
  });

  test("stay while the site runs, and while it would not start", async () => {
    const store = await folderEngine(folders.data).open({ entities: allEntities });
    expect((await doctorCommand("--remove-copies")).exitCode).toBe(2);
    await store.close();
    for (const name of ["hero.json", "hero.json.bak"]) await rm(join(folders.data, name));
    expect((await doctorCommand("--remove-copies")).exitCode).toBe(2);
    expect(await there()).not.toContain(false);
  });
});

test("a script reads the findings as JSON, and the exit code", async () => {
  const well = await doctorCommand("--json");
  expect([well.exitCode, JSON.parse(well.stdout)]).toMatchObject([0, { well: true, starts: true }]);
  await writeFile(join(folders.data, "hero.json.bak"), "{");
  const damaged = await doctorCommand("--json");
  expect([damaged.exitCode, JSON.parse(damaged.stdout)]).toMatchObject([
    1,
    { well: false, starts: true },
  ]);
  await writeFile(join(folders.data, "hero.json"), "{");
  const lost = await doctorCommand("--json");
  expect(lost.exitCode).toBe(1);
  const { starts, findings } = JSON.parse(lost.stdout);
  expect(starts).toBe(false);
  expect(findings).toContainEqual({
    ok: false,
    refuses: true,
    message: expect.stringContaining("hero.json"),
  });
});

test("folders that others can look into are named with what to do", async () => {
  await chmod(folders.data, 0o755);
  expect(await problems()).toEqual([expect.stringContaining(`chmod 700 ${folders.data}`)]);
});

test("a folder without a site is said to be one", async () => {
  expect(await examine(folderEngine("/nonexistent"), folderStorage("/nonexistent"))).toEqual([
    { ok: false, message: expect.stringContaining("There is no site in /nonexistent") },
  ]);
});

test("a segment that is lost is named, though nothing else tells of it", async () => {
  const list = join(folders.data, "form-submissions", "segments.json");
  for (const file of [list, `${list}.bak`])
    await editSealed(file, (text) => text.replace('"last":1', '"last":2'));
  expect(await problems()).toEqual([
    expect.stringContaining("form-submissions/000002.json is missing, and so is its copy"),
  ]);
});

test("all that is lost is named at once, and what is damaged beside it", async () => {
  for (const name of ["hero.json", "site.json"])
    for (const file of [name, `${name}.bak`]) await rm(join(folders.data, file));
  await writeFile(join(folders.data, "styles.json"), "{");
  expect((await problems()).toSorted()).toEqual([
    expect.stringContaining("hero.json is missing, and so is its copy"),
    expect.stringContaining("site.json is missing, and so is its copy"),
    expect.stringContaining("styles.json is missing or can't be read. It has a copy"),
  ]);
});

test("a torn marker is named", async () => {
  await writeFile(join(folders.data, "installation.json"), "{");
  expect(await problems()).toEqual([
    expect.stringContaining("installation.json is missing or can't be read"),
  ]);
});

test("a file that was changed by hand is named, and taken when its owner says so", async () => {
  const file = join(folders.data, "site.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/"name":"[^"]*"/, '"name":"By Hand"'));
  expect(await problems()).toEqual([expect.stringContaining("limelight doctor --accept")]);
  const { exitCode, stdout } = await doctorCommand("--accept");
  expect(stdout).toContain("site.json is taken as it is.");
  expect(exitCode).toBe(0);
  expect(await problems()).toEqual([]);
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  expect(store.of(entities.site).read().value.name).toBe("By Hand");
  await store.close();
});

test("what was changed by hand and doesn't fit is not taken", async () => {
  const file = join(folders.data, "styles.json");
  const text = (await readFile(file, "utf8")).replace("#00BFFF", "}*{display:none");
  await writeFile(file, text);
  const { exitCode, stdout } = await doctorCommand("--accept");
  expect(stdout).toContain("styles.json can't be taken as it is");
  expect(exitCode).toBe(1);
  expect(await readFile(file, "utf8")).toBe(text);
});

async function doctorCommand(...args: string[]) {
  const child = Bun.spawn([program(), "doctor", ...args], {
    env: { ...process.env, DATA_DIR: folders.data, UPLOADS_DIR: folders.uploads },
    stdout: "pipe",
    stderr: "ignore",
  });
  return { stdout: await new Response(child.stdout).text(), exitCode: await child.exited };
}

test("it looks at a site while it is running", async () => {
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  expect(await problems()).toEqual([]);
  await store.close();
});

test("what is wrong is said before what is well", async () => {
  const file = join(folders.data, "site.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/"name":"[^"]*"/, '"name":"By Hand"'));
  const { stdout, exitCode } = await doctorCommand();
  const kinds = stdout.split("\n").map((line) => /^(REFUSED|PROBLEM|ok) /.exec(line)?.[1]);
  expect(exitCode).toBe(1);
  expect(kinds.filter((kind) => kind !== undefined).slice(0, 2)).toEqual(["PROBLEM", "ok"]);
  expect(kinds.lastIndexOf("PROBLEM")).toBeLessThan(kinds.indexOf("ok"));
});
