import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities, allEntities } from "../../../src/schema/index.ts";
import { examine } from "../../../src/server/backup/doctor.ts";
import { folderEngine } from "../../../src/server/storage/folderEngine.ts";
import { openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { editSealed } from "../../support/editSealed.ts";
import { uploadLibrary } from "../../../src/server/uploads/uploadLibrary.ts";

let folders = { data: "", uploads: "" };

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "limelight-doctor-"));
  folders = { data: join(root, "data"), uploads: join(root, "uploads") };
  await mkdir(folders.uploads, { mode: 0o700 });
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  const files = await openUploadFiles(folders.uploads, new Set());
  const library = uploadLibrary(files, store.of(entities.uploads));
  await library.add(
    await Bun.file("tests/support/pictures/full-house.jpg").bytes(),
    "full house.jpg",
  );
  await store.close();
});
afterEach(() => rm(join(folders.data, ".."), { recursive: true }));

const problems = async () =>
  (await examine(folderEngine(folders.data), folders.uploads))
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
  await editSealed(file, (text) => text.replace('"version":1', '"version":9'));
  expect(await problems()).toEqual([expect.stringContaining("newer release")]);
});

test("a picture without its file is named as its owner knows it", async () => {
  const [name] = await Array.fromAsync(new Bun.Glob("*-320.webp").scan(folders.uploads));
  await rm(join(folders.uploads, name!));
  expect(await problems()).toEqual([expect.stringContaining("full house.jpg has lost a file")]);
});

test("folders that others can look into are named with what to do", async () => {
  await chmod(folders.data, 0o755);
  expect(await problems()).toEqual([expect.stringContaining(`chmod 700 ${folders.data}`)]);
});

test("a folder without a site is said to be one", async () => {
  expect(await examine(folderEngine("/nonexistent"), "/nonexistent")).toEqual([
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
  const child = Bun.spawn([process.execPath, "src/main.ts", "doctor", ...args], {
    env: { ...process.env, DATA_DIR: folders.data, UPLOADS_DIR: folders.uploads },
    stdout: "pipe",
    stderr: "inherit",
  });
  return { stdout: await new Response(child.stdout).text(), exitCode: await child.exited };
}

test("it looks at a site while it is running", async () => {
  const store = await folderEngine(folders.data).open({ entities: allEntities });
  expect(await problems()).toEqual([]);
  await store.close();
});
