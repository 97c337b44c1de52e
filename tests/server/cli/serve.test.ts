/** Starting a site with existing data. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { addForm } from "../../support/enquirySite.ts";
import {
  createSiteFolder,
  removeSiteFolder,
  serveProgram,
  type SiteFolder,
} from "../../support/program.ts";
import { waitForValue } from "../../support/waits.ts";
import { createStoredSubmission } from "../content/storedSubmission.ts";

let site: SiteFolder;
beforeEach(async () => void (site = await createSiteFolder()));
afterEach(() => removeSiteFolder(site));

test("a start deletes closed enquiries after the time that their form sets, and logs how many", async () => {
  const open = () => openStore({ directory: site.dataDir, entities: allEntities, log: () => {} });
  const before = await open();
  await addForm(before);
  await before
    .of(entities.forms)
    .update((all) => all.map((form) => ({ ...form, deleteAfter: "6" as const })));
  const list = before.of(entities.formSubmissions);
  const closed = { ...createStoredSubmission("form"), stage: "closed" as const };
  const old = await list.insert({ ...closed, createdAt: "2024-01-01T00:00:00.000Z" });
  const fresh = await list.insert({ ...closed, id: Bun.randomUUIDv7() });
  await before.close();
  const serving = await serveProgram(site);
  const line = 'deleted 1 closed submission of "New Form"';
  await waitForValue(() => serving.log().includes(line), true);
  await serving.stop();
  const after = await open();
  expect((await after.of(entities.formSubmissions).readKeys()).map(({ id }) => id)).toEqual([
    fresh.id,
  ]);
  expect((await after.of(entities.bin).readKeys()).map(({ id }) => id)).toEqual([old.id]);
  await after.close();
});
