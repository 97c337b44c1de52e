/** `limelight backup --test-restore`: a site starts from the backup. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProgramSite, runProgram, startProgram } from "../../support/program.ts";

let site: ProgramSite & { readonly folder: string };
beforeAll(async () => {
  const started = await startProgram();
  site = { ...started, folder: join(started.dataDir, "..") };
  expect(await runProgram(site, ["backup", "good.tar.gz"])).toMatchObject({ code: 0 });
});
afterAll(() => site.stop());

const listHiddenFolders = async () =>
  (await readdir(site.folder)).filter((name) => name.startsWith(".rehearsal-"));

test("a restore test starts a separate site from a good backup, and leaves no file behind", async () => {
  const { code, out } = await runProgram(site, ["backup", "--test-restore", "good.tar.gz"]);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("Restore test passed: a site started from good.tar.gz was healthy."),
  ]);
  expect(await listHiddenFolders()).toEqual([]);
  expect((await fetch(`${site.url}/api/health`)).status).toBe(200);
});

test("a restore test of a truncated, missing or unnamed backup fails with a message and leaves no file behind", async () => {
  const whole = await Bun.file(join(site.folder, "good.tar.gz")).bytes();
  await writeFile(join(site.folder, "half.tar.gz"), whole.subarray(0, whole.length / 2));
  for (const args of [["half.tar.gz"], ["nothing.tar.gz"], []]) {
    const { code, error } = await runProgram(site, ["backup", "--test-restore", ...args]);
    expect([args, code, error.split("\n")[0]]).toEqual([args, 2, expect.stringMatching(/\.$|gz$/)]);
  }
  expect(await listHiddenFolders()).toEqual([]);
});

test("what an interrupted restore test left is removed by another test a day later", async () => {
  const left = join(site.folder, ".rehearsal-left");
  const present = join(site.folder, ".rehearsal-going-on");
  await mkdir(left);
  await mkdir(present);
  await utimes(left, new Date(0), new Date(0));
  await runProgram(site, ["backup", "--test-restore", "good.tar.gz"]);
  expect(await listHiddenFolders()).toEqual([".rehearsal-going-on"]);
});
