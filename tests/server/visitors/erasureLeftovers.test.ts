/** An erasure reaches, or names, everything below the data folder, whatever left it there. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { removeSnapshot, takeSnapshot } from "../../../src/server/storage/files/folderSnapshot.ts";
import { makeForm, submitEnquiry } from "../../support/enquiryForm.ts";
import { findFilesContaining } from "../../support/storedTexts.ts";
import { setUpServedSite } from "../../support/servedSite.ts";

setDefaultTimeout(120_000);

const site = setUpServedSite();
const EVE = "eve@example.com";
const findFilesWithEve = async () =>
  (await findFilesContaining(site.dataDir, EVE)).map((path) => relative(site.dataDir, path));
const eraseEve = async (owner: Awaited<ReturnType<typeof site.owner>>) => {
  const { status, body } = await owner.post("/api/people/erase", { email: EVE });
  return { status, keptIn: body.keptIn };
};

/** Puts her data into every list that can hold it, with an earlier version each. */
async function fillSite(): Promise<void> {
  const owner = await site.owner();
  await owner.post("/api/email-subscriptions", { email: EVE });
  const { formId, ids } = await makeForm(site, "Say hello", [["email", "E-mail"]]);
  await submitEnquiry(site, formId, { [ids[0]!]: EVE });
  const testimonial = { words: `What ${EVE} said`, name: "Eve", email: EVE };
  const { body } = await owner.post("/api/testimonials", testimonial);
  await owner.put(`/api/testimonials/${body.id}`, { words: "Something else" });
  await owner.post("/api/testimonials", testimonial);
  await owner.post("/api/testimonial-requests", { name: "Eve", email: EVE });
}

/** Starts a process that links all files for a backup, and kills it. */
async function killBackup(): Promise<void> {
  const code = `const { takeSnapshot } = await import("${import.meta.dir}/../../../src/server/storage/files/folderSnapshot.ts");
    await takeSnapshot("${site.dataDir}"); process.kill(process.pid, "SIGKILL");`;
  await Bun.spawn([process.execPath, "-e", code]).exited;
}

const DAMAGED_FILES = [
  "testimonials.json",
  "testimonial-requests.json",
  "email-subscriptions/000001.json",
];

test("after an erasure no leftover file contains the person's data, unless the response names the file", async () => {
  await fillSite();
  const archive = join(site.folder, "before.tar.gz");
  expect((await site.run("backup", archive)).code).toBe(0);
  await site.stop();
  // Leftovers of a restore, and of a killed restore.
  expect((await site.run("restore", archive)).code).toBe(0);
  await mkdir(join(site.dataDir, ".restore-left"));
  const of = (name: string) => join(site.dataDir, name);
  await copyFile(of("testimonials.json"), of(".restore-left/testimonials.json"));
  // Damaged files, which the start sets aside.
  for (const name of DAMAGED_FILES) await appendFile(of(name), " torn");
  // Leftovers of a migration, by their names.
  await mkdir(of("migrations/form-submissions"), { recursive: true });
  await copyFile(of("testimonials.json"), of("migrations/testimonials.v1-r3.json"));
  await copyFile(
    of("form-submissions/000001.json"),
    of("migrations/form-submissions/000001.v1.json"),
  );
  await Bun.write(of("notes.txt"), `Call ${EVE.toUpperCase()}.`);
  await site.start();
  await killBackup();
  const leftovers = (await findFilesWithEve()).join("\n");
  for (const each of [
    /\.json\.bad-/,
    /^\.site\/snapshot-/m,
    /^migrations\//m,
    /^\.before-restore-/m,
  ])
    expect(leftovers).toMatch(each);
  expect(leftovers.match(/^(?!\.site).*\.bad-/gm)).toHaveLength(DAMAGED_FILES.length);

  const { status, keptIn } = await eraseEve(await site.logInAsOwner());
  expect(status).toBe(200);
  const left = await findFilesWithEve();
  expect(left).toEqual(keptIn);
  for (const path of left) expect(path).toMatch(/^(\.before-restore-|\.restore-left|notes\.txt)/);
  expect(left.length).toBeGreaterThan(2);

  for (const name of await readdir(site.dataDir))
    if (/^(\.before-restore-|\.restore-|notes\.txt)/.test(name))
      await rm(of(name), { recursive: true });
  expect(await eraseEve(await site.logInAsOwner())).toEqual({ status: 200, keptIn: undefined });
  expect(await findFilesWithEve()).toEqual([]);
});

test("an erasure waits for a running backup, which still reads the earlier data", async () => {
  await fillSite();
  const snapshot = await takeSnapshot(site.dataDir);
  const owner = await site.logInAsOwner();
  let isAnswered = false;
  const erasing = eraseEve(owner).finally(() => (isAnswered = true));
  await Bun.sleep(1000);
  expect(isAnswered).toBe(false);
  await removeSnapshot(snapshot);
  expect(await erasing).toEqual({ status: 200, keptIn: undefined });
  expect(await findFilesWithEve()).toEqual([]);
});
