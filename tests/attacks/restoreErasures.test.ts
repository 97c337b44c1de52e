/**
 * A backup, a restore and an erasure at the same time: erased people stay erased, whichever archive is restored, and
 * every archive made meanwhile is a snapshot. `RESTORE_ERASURES` is the number of rounds (default 2).
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { entities } from "../../src/schema/index.ts";
import { unpackArchive } from "../../src/server/backup/unpackArchive.ts";
import { createFolderEngine } from "../../src/server/storage/files/folderEngine.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { waitForValue } from "../support/waits.ts";

const ROUNDS = Number(process.env["RESTORE_ERASURES"] ?? 2);

setDefaultTimeout(120_000 + ROUNDS * 20_000);

const site = setUpServedSite();

const createEmail = (round: number, name: string) => `${name}${round}@example.com`;

const findListed = async (emails: readonly string[]): Promise<string[]> => {
  const searches = emails.map((email) => site.asOwner("POST", "/api/people/find", { email }));
  const counts = (await Promise.all(searches)).map(({ subscriptions }) => subscriptions);
  return emails.filter((_, at) => counts[at] > 0);
};

/** The message of a backup that starts while a restore replaces the site. */
const EXPECTED_OUTPUT = /saved|is being restored/;

/** The number of restores that were completed and served. */
const countRestarts = () => site.log().split("the site is back online").length - 1;

const waitRandomly = () => Bun.sleep(Math.random() * 600);

/** The rounds in which an archive's two sections were written, and the people on its list. */
async function readArchive(archive: string) {
  const folder = join(site.folder, "unpacked");
  try {
    await unpackArchive(archive, folder, { isDurable: false });
    const engine = createFolderEngine(join(folder, "data"));
    const [hero, about] = [
      await engine.readDocument(entities.hero),
      await engine.readDocument(entities.about),
    ];
    return [hero?.mainTitle, about?.title];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How many entries of the activity log have this action, on all pages. */
async function countLogged(action: string): Promise<number> {
  const owner = await site.logInAsOwner();
  let count = 0;
  for (let offset = 0; ; offset += PAGE_SIZE) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const { body } = await owner.get(`/api/audit-log?kind=data&offset=${offset}`);
    const entries = body as { what: string; count: number }[];
    for (const entry of entries) if (entry.what === action) count += entry.count;
    if (entries.length < PAGE_SIZE) return count;
  }
}

const PAGE_SIZE = 50;

test(`a person erased while a backup and a restore are running stays erased, ${ROUNDS} times`, async () => {
  const erased: string[] = [];
  const seen = { restored: 0, saved: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    // A new login, since erasing and restoring ask for the password ten minutes after one.
    const owner = await site.logInAsOwner();
    for (const person of ["gone", "stays"])
      await owner.post("/api/email-subscriptions", { email: createEmail(round, person) });
    await site.asOwner("POST", "/api/hero", { mainTitle: `Round ${round}` });
    await site.asOwner("POST", "/api/about", { title: `Round ${round}` });
    if (round === 0) {
      await owner.post("/api/backups");
      await waitForValue(async () => (await owner.get("/api/backups")).body.underWay, null);
    }
    const { backups } = (await owner.get("/api/backups")).body as { backups: { id: string }[] };
    const wanted = backups[Math.floor(Math.random() * Math.min(5, backups.length))]!.id;
    const before = countRestarts();
    const name = `at-once-${round}.tar.gz`;
    const [erasure, saved, restore] = await Promise.all([
      waitRandomly()
        .then(() => owner.post("/api/people/erase", { email: createEmail(round, "gone") }))
        .catch(() => undefined),
      waitRandomly().then(() => site.run("backup", name)),
      waitRandomly().then(() => owner.post(`/api/backups/${wanted}/restore`, { everything: true })),
    ]);
    if (erasure?.status === 200) erased.push(createEmail(round, "gone"));
    if (restore.status === 202) {
      await waitForValue(countRestarts, before + 1);
      seen.restored++;
    } else {
      // A disk without room for the safety backup refuses the restore like this.
      expect([restore.status, typeof restore.body.error]).toEqual([503, "string"]);
      console.log(`round ${round}: ${restore.body.error}`);
    }
    if (saved.code === 0) {
      const [one, other] = await readArchive(join(site.folder, name));
      expect([round, one]).toEqual([round, other]);
      seen.saved++;
    } else expect([saved.code, saved.error]).toEqual([1, expect.stringMatching(EXPECTED_OUTPUT)]);
    await rm(join(site.folder, name), { force: true });
    expect(await findListed(erased.slice(-5))).toEqual([]);
    expect((await owner.get("/")).status).toBe(200);
    site.expectUndamaged();
  }
  expect(await findListed(erased)).toEqual([]);
  expect(await countLogged("restored the whole site from a backup")).toBe(seen.restored);
  await site.expectNoProblems();
  console.log(`${erased.length} erased, ${seen.restored} restored, ${seen.saved} saved`);
  expect(seen.restored).toBeGreaterThan(0);
  expect(seen.saved).toBeGreaterThan(0);
});
