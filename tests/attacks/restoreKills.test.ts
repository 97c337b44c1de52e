/**
 * Restores a whole backup while the built executable serves the site, and kills it at any time (specification, section
 * 4.16): the site is as before, or as in the backup. `RESTORE_ROUNDS` is the number of rounds.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { makeForm, deleteForms } from "../support/enquiryForm.ts";
import { replaceItems } from "../support/replaceItems.ts";
import { createPicture } from "../support/pictures.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { uploadPicture } from "../support/uploadPicture.ts";
import { waitForValue } from "../support/waits.ts";

const ROUNDS = Number(process.env["RESTORE_ROUNDS"] ?? 2);

setDefaultTimeout(60_000 + ROUNDS * 30_000);

const site = setUpServedSite();

/** Ids of the backups, newest first. */
const listBackups = async (): Promise<string[]> =>
  (await site.asOwner("GET", "/api/backups")).backups.map(({ id }: { id: string }) => id);

async function backUp(): Promise<string> {
  const before = new Set(await listBackups());
  await site.asOwner("POST", "/api/backups");
  let made: string | undefined;
  await waitForValue(async () => {
    made = (await listBackups()).find((id) => !before.has(id));
    return made !== undefined && (await site.asOwner("GET", "/api/backups")).underWay === null;
  }, true);
  return made!;
}

/** Whether the restore of a whole backup was confirmed. */
const requestRestore = async (id: string): Promise<boolean> => {
  const path = `/api/backups/${id}/restore`;
  return (await (await site.owner()).post(path, { everything: true })).status === 202;
};

/** A site that names `name` in a document, a list, a picture and a submission. */
async function makeState(name: string): Promise<void> {
  await replaceItems(site, "/api/statistics", [{ value: name, label: "x" }]);
  await replaceItems(site, "/api/uploads");
  await deleteForms(site);
  await site.asOwner("DELETE", "/api/bin");
  await site.asOwner("POST", "/api/hero", { mainTitle: name });
  const { formId, ids } = await makeForm(site, name, [["text", "L"]]);
  await site.createItem("/api/form-submissions", { formId, data: { [ids[0]!]: name } });
  await uploadPicture(site, `${name}.png`, await createPicture("png", 60, 60));
}

/** The names that the site shows, each once; fails if a picture's file is missing, or if there are others. */
async function readState(): Promise<string[]> {
  const owner = await site.owner();
  const read = async (path: string) => (await owner.get(path)).body;
  const forms: { id: string; title: string }[] = await read("/api/forms");
  const uploads: { url: string; filename: string; originalName: string }[] =
    await read("/api/uploads");
  for (const { url } of uploads) expect([url, (await owner.get(url)).status]).toEqual([url, 200]);
  const originals = (await readdir(site.uploadsDir)).filter((name) => name.endsWith(".png"));
  expect(originals.sort()).toEqual(uploads.map(({ filename }) => filename).sort());
  const submissions = await Promise.all(forms.map(({ id }) => read(`/api/form-submissions/${id}`)));
  const shown = [
    (await read("/api/hero")).mainTitle,
    ...(await read("/api/statistics")).map(({ value }: { value: string }) => value),
    ...forms.map(({ title }) => title),
    ...submissions.flat().map(({ questions }) => questions[0].answer),
    ...uploads.map(({ originalName }) => originalName.replace(".png", "")),
    /<h1[^>]*>.*?<\/h1>/.exec((await owner.get("/")).text)?.[0].includes("Then") ? "Then" : "Now",
  ];
  return [...new Set(shown)];
}

test("a site killed while it restores a whole backup has the earlier or the restored content, never a mixture", async () => {
  await makeState("Then");
  const then = await backUp();
  await makeState("Now");
  const existing = new Set(await listBackups());
  const began = performance.now();
  expect(await requestRestore(then)).toBe(true);
  const durationMs = performance.now() - began;
  await waitForValue(() => readState().catch(() => []), ["Then"]);
  await site.asOwner("GET", "/api/auth/me");
  await site.expectNoProblems();
  // The automatic backup of the site as it was before the restore.
  const now = (await listBackups()).find((id) => !existing.has(id))!;
  let at = "Then";
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = at === "Then" ? now : then;
    // A restore that is refused because a backup is being made must not continue later.
    const restoring = requestRestore(wanted).catch(() => false);
    // Most of the time passes before anything changes, so the later steps are killed more often.
    await Bun.sleep(durationMs * (0.7 + Math.random() * 0.5));
    await site.stop("SIGKILL");
    const answered = await restoring;
    await site.start();
    const shown = await readState();
    expect(shown).toHaveLength(1);
    expect(["Then", "Now"]).toContain(shown[0]!);
    // A confirmed restore continues automatically.
    if (answered) expect(shown[0]).not.toBe(at);
    seen.add(`${answered} ${shown[0] === at ? "before" : "after"}`);
    at = shown[0]!;
    await site.expectNoProblems();
    site.expectUndamaged();
  }
  if (ROUNDS > 20) expect(seen.size).toBeGreaterThan(1);
});
