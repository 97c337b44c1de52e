/** Scheduled content: on pages, in calls, among pictures (specification, section 3.21). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSchema } from "../../support/newSchema.ts";
import { pictureAs } from "../../support/pictures.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { newSiteFolder, removeFolder, startProgram } from "../../support/program.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { eventually, type Site, siteForAll, startSite } from "../../support/testSite.ts";

const MINUTE = 60_000;

/** What visitors get of a highlight: on the page, from the call, and its picture. */
async function seen(site: Pick<Site, "url">, title: string, picture: string): Promise<boolean[]> {
  const text = async (path: string) => (await fetch(site.url + path)).text();
  return [
    (await text("/")).includes(title),
    (await text("/api/highlights")).includes(title),
    picture in (JSON.parse(await text("/api/pictures")) as object),
  ];
}

/** A moment to the minute, as a wall time in UTC. */
function edgeAfter(now: number) {
  const edge = (Math.floor(now / MINUTE) + 2) * MINUTE;
  return { edge, wall: new Date(edge).toISOString().slice(0, 16) };
}

/** Sets the clock to a second before `edge`; an unrelated change sets the timer by it. */
async function secondBefore(sites: readonly Site[], edge: number) {
  const [site] = sites;
  for (const each of sites) each.advance(edge - 1500 - (Date.now() + each.ahead()));
  const { agencyName } = await site!.asOwner("GET", "/api/site");
  await site!.asOwner("POST", "/api/site", { agencyName: `${agencyName ?? ""}x` });
}

async function edgesOn(sites: readonly Site[], title: string): Promise<void> {
  const site = sites[0]!;
  await site.asOwner("POST", "/api/site", { timeZone: "UTC" });
  const { url } = await uploadPicture(site, "a.png", await pictureAs("png", 400, 300));
  const { id } = await site.asOwner("POST", "/api/highlights", { title, imageUrl: url });
  const all = (isVisible: boolean) =>
    Promise.all(
      sites.map((each) =>
        eventually(() => seen(each, title, url), [isVisible, isVisible, isVisible]),
      ),
    );
  for (const [field, before] of [
    ["shownFrom", false],
    ["shownUntil", true],
  ] as const) {
    const { edge, wall } = edgeAfter(Date.now() + site.ahead());
    const window = { shownFrom: null, shownUntil: null, [field]: wall };
    await site.asOwner("PUT", `/api/highlights/${id}`, window);
    await secondBefore(sites, edge);
    await all(before);
    expect(Date.now() + site.ahead()).toBeLessThan(edge);
    // No request until a second after the edge.
    await Bun.sleep(edge + 1000 - (Date.now() + site.ahead()));
    for (const each of sites)
      expect(await seen(each, title, url)).toEqual([!before, !before, !before]);
  }
  await site.asOwner("DELETE", `/api/highlights/${id}`);
}

describe("on one machine", () => {
  const site = siteForAll(startSite);

  test("a second before the start or end nothing has changed, and a second after it everything has", async () => {
    await edgesOn([site], "A night to remember");
  });

  test("an announcement ends automatically, as on an empty site; its owner still gets it", async () => {
    await site.asOwner("POST", "/api/extras", { on: ["announcement"] });
    const { edge, wall } = edgeAfter(Date.now() + site.ahead());
    await site.asOwner("POST", "/api/announcement", { text: "The final", shownUntil: wall });
    const call = async () => (await site.visitor().get("/api/announcement")).body;
    const page = async () => (await site.visitor().get("/")).text.includes("The final");
    await secondBefore([site], edge);
    await eventually(page, true);
    expect(await call()).toEqual({ text: "The final", link: null });
    await Bun.sleep(edge + 1000 - (Date.now() + site.ahead()));
    expect(await call()).toEqual({ text: null, link: null });
    expect(await page()).toBe(false);
    expect(await site.asOwner("GET", "/api/announcement")).toMatchObject({ text: "The final" });
  });
});

test("after a kill across a start or end the first response is right", async () => {
  const siteFolder = await newSiteFolder({ sample: true });
  // By the machine's zone, where it is an hour later: nobody has to wait for an edge.
  const started = async (TZ: string) => startProgram({ folder: siteFolder.folder, env: { TZ } });
  try {
    const before = await started("Etc/GMT+1");
    const wall = new Date(Date.now() - 30 * MINUTE).toISOString().slice(0, 16);
    await before.asOwner("POST", "/api/extras", { on: ["announcement"] });
    await before.asOwner("POST", "/api/announcement", { text: "The final", shownUntil: wall });
    const page = async ({ url }: { url: string }) => (await fetch(url)).text();
    await eventually(async () => (await page(before)).includes("The final"), true);
    await before.stop("SIGKILL");
    const after = await started("UTC");
    expect(await page(after)).not.toContain("The final");
    await after.stop();
  } finally {
    await removeFolder(siteFolder);
  }
});

describe.if(hasPostgres)("on two machines", () => {
  let postgres: Postgres;
  let pictures: string;
  let sites: Site[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    pictures = await mkdtemp(join(tmpdir(), "limelight-pictures-"));
    const env = { DATABASE_URL: postgres.url(newSchema()), UPLOADS_DIR: pictures };
    sites = [await startSite({ env }), await startSite({ env, owner: false })];
  });
  afterAll(async () => {
    for (const each of sites) await each.stop(); // oxlint-disable-line no-await-in-loop
    await postgres.remove();
    await rm(pictures, { recursive: true });
  });

  test("each changes at the start or end on its own", async () => {
    await edgesOn(sites, "A night to remember");
  });
});
