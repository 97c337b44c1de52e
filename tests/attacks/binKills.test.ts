/**
 * The built executable killed while items are deleted and restored (specification, section 4.17): each item is
 * afterwards either in its list or in the bin, exactly once, with its files. `BIN_ROUNDS` is the number of rounds.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { makeForm } from "../support/enquiryForm.ts";
import { createPicture } from "../support/pictures.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { uploadPicture } from "../support/uploadPicture.ts";

const ROUNDS = Number(process.env["BIN_ROUNDS"] ?? 2);

setDefaultTimeout(60_000 + ROUNDS * 20_000);

const site = setUpServedSite();

/** A list whose items are deleted and restored; `add` returns the id of a new one. */
interface Kind {
  readonly list: string;
  readonly path: string;
  readonly add: (at: number) => Promise<string>;
}

async function createKinds(): Promise<Kind[]> {
  const { createItem: made } = site;
  const { formId: form, ids } = await makeForm(site, "Kept", [["text", "L"]]);
  const png = await createPicture("png", 40, 40);
  return [
    {
      list: "/api/statistics",
      path: "/api/statistics",
      add: (at) => made("/api/statistics", { value: `${at}`, label: "x" }),
    },
    {
      list: `/api/form-submissions/${form}?limit=200`,
      path: "/api/form-submissions",
      add: (at) => made("/api/form-submissions", { formId: form, data: { [ids[0]!]: `${at}` } }),
    },
    {
      list: "/api/uploads",
      path: "/api/uploads",
      add: async (at) => (await uploadPicture(site, `${at}.png`, png)).id,
    },
    {
      list: "/api/forms",
      path: "/api/forms",
      async add(at) {
        const id = await made("/api/forms", { title: `${at}`, isActive: false });
        await made("/api/form-steps", { formId: id, title: `step of ${at}` });
        return id;
      },
    },
  ];
}

/** The last confirmed place of each item. */
type Locations = Map<string, "list" | "bin" | "either">;

/** Deletes and restores items in turn until the server is killed. */
async function deleteAndRestore(
  { path }: Kind,
  ids: readonly string[],
  where: Locations,
): Promise<void> {
  const owner = await site.owner();
  try {
    for (let at = 0; ; at++) {
      const id = ids[at % ids.length]!;
      const from = where.get(id);
      where.set(id, "either");
      const { status } =
        from === "bin"
          ? await owner.post(`/api/bin/${id}/restore`)
          : await owner.delete(`${path}/${id}`);
      // A client repeats a deletion if its connection ended before the response, so a missing item was deleted the
      // first time.
      expect(from === "bin" ? [200] : [204, 404]).toContain(status);
      where.set(id, from === "bin" ? "list" : "bin");
    }
  } catch (error) {
    if (!(error instanceof Error && /socket|connect|closed/i.test(error.message))) throw error;
  }
}

const readIds = async (path: string): Promise<string[]> =>
  (await site.asOwner("GET", path)).map(({ id }: { id: string }) => id);

test("a site killed while items are deleted and restored has every item once, in its list or in the trash", async () => {
  const all = await Promise.all(
    (await createKinds()).map(async (kind) => {
      const ids: string[] = [];
      for (let at = 0; at < 4; at++) ids.push(await kind.add(at));
      return { kind, ids, where: new Map(ids.map((id) => [id, "list"])) as Locations };
    }),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const movers = all.map(({ kind, ids, where }) => deleteAndRestore(kind, ids, where));
    await Bun.sleep(100 + Math.random() * 400);
    await site.stop("SIGKILL");
    await Promise.all(movers);
    await site.expectNoProblems();
    await site.start();
    site.expectUndamaged();
    const binned = await readIds("/api/bin");
    expect(new Set(binned).size).toBe(binned.length);
    for (const { kind, ids, where } of all) {
      const listed = await readIds(kind.list);
      expect(new Set(listed).size).toBe(listed.length);
      for (const id of ids) {
        const holders = [listed.includes(id) && "list", binned.includes(id) && "bin"];
        const [at, ...more] = holders.filter(Boolean) as ("list" | "bin")[];
        expect([id, at, more]).toEqual([id, expect.any(String), []]);
        const expected = where.get(id)!;
        if (expected !== "either") expect([kind.path, id, at]).toEqual([kind.path, id, expected]);
        where.set(id, at!);
      }
    }
    await expectEverythingWhole();
  }
});

/** Listed pictures are served, those in the bin are shown to their owner, and forms have their steps. */
async function expectEverythingWhole(): Promise<void> {
  const owner = await site.owner();
  for (const { url } of (await owner.get("/api/uploads")).body)
    expect([url, (await owner.get(url)).status]).toEqual([url, 200]);
  for (const { id } of (await owner.get("/api/bin?kind=pictures")).body)
    expect((await owner.get(`/api/bin/${id}/picture`)).status).toBe(200);
  for (const { id, title } of (await owner.get("/api/forms")).body) {
    if (title === "Kept") continue;
    const steps = (await owner.get(`/api/form-steps/${id}`)).body;
    expect([title, steps.length]).toEqual([title, 1]);
  }
  const files = await readdir(site.uploadsDir);
  expect(files.filter((name) => name.endsWith(".tmp"))).toEqual([]);
}

test("a site killed while its trash is emptied loses nothing outside the trash and brings back no deleted item", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [, submissions, pictures, forms] = await createKinds();
    for (const { path, add } of [pictures!, forms!, submissions!])
      await site.asOwner("DELETE", `${path}/${await add(round)}`);
    const survivingId = await forms!.add(1000 + round);
    const owner = await site.owner();
    const emptying = owner.delete("/api/bin").then(
      ({ status }) => status,
      () => 0,
    );
    await Bun.sleep(Math.random() * 30);
    await site.stop("SIGKILL");
    const status = await emptying;
    await site.start();
    const binned = await readIds("/api/bin");
    if (status === 200) expect(binned).toEqual([]);
    // A binned item is complete, so the others can be restored.
    for (const id of binned) await site.asOwner("POST", `/api/bin/${id}/restore`);
    await expectEverythingWhole();
    expect(await site.asOwner("GET", `/api/form-steps/${survivingId}`)).toHaveLength(1);
    await site.expectNoProblems();
  }
});
