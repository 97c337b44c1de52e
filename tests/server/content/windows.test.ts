/** Scheduled content: on pages, in calls, among pictures (specification, section 3.21). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSchemaName } from "../../support/createSchemaName.ts";
import { createPicture } from "../../support/pictures.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { createSiteFolder, removeSiteFolder, startProgram } from "../../support/program.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { waitForValue, type Site, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const MINUTE_MS = 60_000;

/** Whether visitors get a highlight on the page, from the call, and its picture. */
async function readVisibility(
  site: Pick<Site, "url">,
  title: string,
  picture: string,
): Promise<boolean[]> {
  const text = async (path: string) => (await fetch(site.url + path)).text();
  return [
    (await text("/")).includes(title),
    (await text("/api/highlights")).includes(title),
    picture in (JSON.parse(await text("/api/pictures")) as object),
  ];
}

/** A moment to the minute, as a wall time in UTC. */
function computeNextEdge(now: number) {
  const edge = (Math.floor(now / MINUTE_MS) + 2) * MINUTE_MS;
  return { edge, wall: new Date(edge).toISOString().slice(0, 16) };
}

/** Sets the clock to a second before `edge`; an unrelated change sets the timer by it. */
async function setSecondBefore(sites: readonly Site[], edge: number) {
  const [site] = sites;
  for (const each of sites) each.advance(edge - 1500 - (Date.now() + each.readOffset()));
  const { agencyName } = await site!.asOwner("GET", "/api/site");
  await site!.asOwner("POST", "/api/site", { agencyName: `${agencyName ?? ""}x` });
}

async function expectEdges(sites: readonly Site[], title: string): Promise<void> {
  const site = sites[0]!;
  await site.asOwner("POST", "/api/site", { timeZone: "UTC" });
  const { url } = await uploadPicture(site, "a.png", await createPicture("png", 400, 300));
  const { id } = await site.asOwner("POST", "/api/highlights", { title, imageUrl: url });
  const all = (isVisible: boolean) =>
    Promise.all(
      sites.map((each) =>
        waitForValue(() => readVisibility(each, title, url), [isVisible, isVisible, isVisible]),
      ),
    );
  for (const [field, before] of [
    ["shownFrom", false],
    ["shownUntil", true],
  ] as const) {
    const { edge, wall } = computeNextEdge(Date.now() + site.readOffset());
    const window = { shownFrom: null, shownUntil: null, [field]: wall };
    await site.asOwner("PUT", `/api/highlights/${id}`, window);
    await setSecondBefore(sites, edge);
    await all(before);
    expect(Date.now() + site.readOffset()).toBeLessThan(edge);
    // No request until a second after the edge.
    await Bun.sleep(edge + 1000 - (Date.now() + site.readOffset()));
    for (const each of sites)
      expect(await readVisibility(each, title, url)).toEqual([!before, !before, !before]);
  }
  await site.asOwner("DELETE", `/api/highlights/${id}`);
}

describe("on one machine", () => {
  const site = setUpSiteForAll(startSite);

  test("a highlight appears at its start and disappears at its end, everywhere within a second", async () => {
    await expectEdges([site], "A night to remember");
  });

  test("an announcement ends automatically for visitors, and the owner still gets it", async () => {
    await site.asOwner("POST", "/api/extras", { on: ["announcement"] });
    const { edge, wall } = computeNextEdge(Date.now() + site.readOffset());
    await site.asOwner("POST", "/api/announcement", { text: "The final", shownUntil: wall });
    const call = async () => (await site.visitor().get("/api/announcement")).body;
    const page = async () => (await site.visitor().get("/")).text.includes("The final");
    await setSecondBefore([site], edge);
    await waitForValue(page, true);
    expect(await call()).toEqual({ text: "The final", link: null });
    await Bun.sleep(edge + 1000 - (Date.now() + site.readOffset()));
    expect(await call()).toEqual({ text: null, link: null });
    expect(await page()).toBe(false);
    expect(await site.asOwner("GET", "/api/announcement")).toMatchObject({ text: "The final" });
  });
});

test("the first page after the program was killed doesn't have an announcement that ended meanwhile", async () => {
  const siteFolder = await createSiteFolder({ sample: true });
  // A start in a zone in which it is an hour later replaces waiting for the end.
  const started = async (TZ: string) => startProgram({ folder: siteFolder.folder, env: { TZ } });
  try {
    const before = await started("Etc/GMT+1");
    const wall = new Date(Date.now() - 30 * MINUTE_MS).toISOString().slice(0, 16);
    await before.asOwner("POST", "/api/extras", { on: ["announcement"] });
    await before.asOwner("POST", "/api/announcement", { text: "The final", shownUntil: wall });
    const page = async ({ url }: { url: string }) => (await fetch(url)).text();
    await waitForValue(async () => (await page(before)).includes("The final"), true);
    await before.stop("SIGKILL");
    const after = await started("UTC");
    expect(await page(after)).not.toContain("The final");
    await after.stop();
  } finally {
    await removeSiteFolder(siteFolder);
  }
});

describe.if(hasPostgres)("on two machines", () => {
  let postgres: Postgres;
  let pictures: string;
  let sites: Site[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    pictures = await mkdtemp(join(tmpdir(), "limelight-pictures-"));
    const env = { DATABASE_URL: postgres.createUrl(createSchemaName()), UPLOADS_DIR: pictures };
    sites = [await startSite({ env }), await startSite({ env, hasOwner: false })];
  });
  afterAll(async () => {
    for (const each of sites) await each.stop(); // oxlint-disable-line no-await-in-loop
    await postgres.remove();
    await rm(pictures, { recursive: true });
  });

  test("each machine shows and hides a highlight at its start and end without a call to the other machine", async () => {
    await expectEdges(sites, "A night to remember");
  });
});
