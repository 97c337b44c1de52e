/**
 * Extras that another release has switched on (specification, section 3.20). `EARLIER_RELEASE` names the program of an earlier
 * release, built from its commit; without it the way back is tried with this one.
 */
import { expect, test } from "bun:test";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { newSiteFolder, removeFolder, startProgram } from "../../support/program.ts";

const EARLIER = process.env["EARLIER_RELEASE"];

const random = () => `extra-${crypto.randomUUID().slice(0, 8)}`;

test("twenty names that nobody knows survive a start, a change, and the way to an earlier release and back", async () => {
  const site = await newSiteFolder({ sample: true });
  const on = Array.from({ length: 20 }, random);
  // As a later release would have stored them.
  const open = { directory: site.dataDir, entities: allEntities, log: () => {} };
  const store = await openStore(open);
  await store.of(entities.extras).update(() => ({ on: ["announcement", ...on] }));
  await store.close();

  const started = async (command?: readonly string[]) => {
    const { folder } = site;
    return startProgram({ folder, ...(command && { command }), env: { RATE_LIMIT: "off" } });
  };
  const ours = await started();
  expect(await ours.asOwner("GET", "/api/extras")).toEqual({ on: ["announcement", ...on] });
  await ours.asOwner("POST", "/api/extras", { on: [...on, "announcement", "dates"] });
  await ours.asOwner("POST", "/api/announcement", { text: "Back on Sunday" });
  expect(await (await fetch(ours.url)).text()).toContain("Back on Sunday");
  await ours.stop();

  const earlier = await started(EARLIER === undefined ? undefined : [EARLIER]);
  for (const path of ["/", "/coaching", "/api/health"])
    expect((await fetch(earlier.url + path)).status).toBe(200); // oxlint-disable-line no-await-in-loop
  await earlier.asOwner("POST", "/api/hero", { mainTitle: "Written before" });
  expect(earlier.log()).not.toMatch(/DAMAGED|RECOVERED/);
  await earlier.stop();

  const again = await started();
  expect(await again.asOwner("GET", "/api/extras")).toEqual({
    on: [...on, "announcement", "dates"],
  });
  const page = await (await fetch(again.url)).text();
  expect([page.includes("Back on Sunday"), page.includes("Written before")]).toEqual([true, true]);
  await again.stop();
  await removeFolder(site);
}, 60_000);
