/** The bin's routes: deleted items are listed, restored completely, or permanently deleted. */
import { beforeEach, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { computePositionAfterLast } from "../../../src/schema/entities/entity.ts";
import { entities } from "../../../src/schema/index.ts";
import { LISTEN_OPTIONS } from "../../../src/server/http/listenOptions.ts";
import { createPicture } from "../../support/pictures.ts";
import { type Client, formatRefusal, setUpSiteForAll, startSite } from "../../support/testSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { createFaultyDisk } from "../storage/faultyDisk.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
let owner: Client;
beforeEach(async () => {
  // Passing time ends sessions.
  owner = await site.logInAsOwner();
  await owner.delete("/api/bin");
});

const createItem = async (path: string, body: object) => {
  const answer = await owner.post(path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};
const deleteItem = async (path: string) => expect((await owner.delete(path)).status).toBe(204);
const readBin = async (query = "") => (await owner.get(`/api/bin${query}`)).body as BinRow[];
const restoreItem = (id: string) => owner.post(`/api/bin/${id}/restore`);

const getFileName = ({ url }: { readonly url: string }) => url.replace("/uploads/", "");
const listFiles = async (picture: { readonly url: string }) =>
  (await readdir(site.uploadsDir))
    .filter((name) => name.startsWith(getFileName(picture).slice(0, 32)))
    .toSorted();

const uploadTestPicture = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  uploadPicture({ owner: async () => owner }, name, bytes);

interface BinRow {
  readonly id: string;
  readonly entity: string;
  readonly item: Record<string, unknown>;
  readonly deletedAt: string;
  readonly until: string;
  readonly contains?: Record<string, number>;
  readonly usedIn?: string[];
}

/** A form with two questions in one step, sent twice. */
async function createFormWithSubmissions(...emails: string[]) {
  const form = await createItem("/api/forms", { title: "Brand collaboration", isActive: true });
  const step = await createItem("/api/form-steps", { formId: form.id, title: "About it" });
  const field = (label: string) =>
    createItem("/api/form-fields", { stepId: step.id, fieldType: "text", label });
  const [first, second] = [await field("Brand"), await field("Email")];
  const send = async (email: string) =>
    (await createItem("/api/form-submissions", { formId: form.id, data: { [second.id]: email } }))
      .id;
  const [one = "x@example.com", other = "y@example.com"] = emails;
  return { form, step, first, submissions: [await send(one), await send(other)] };
}

describe("a deleted item of a list", () => {
  test("is restored at its position, with its id and all its contents", async () => {
    const add = (value: string) => createItem("/api/statistics", { value, label: "Shows" });
    const [, second] = [await add("1"), await add("2"), await add("3")];
    const before = (await owner.get("/api/statistics")).body;
    await deleteItem(`/api/statistics/${second.id}`);
    const [row] = await readBin();
    expect(row).toMatchObject({ id: second.id, entity: "statistics", item: second });
    expect(Date.parse(row!.until) - Date.parse(row!.deletedAt)).toBe(30 * DAY_MS);
    const back = await restoreItem(second.id);
    expect([back.status, back.body]).toEqual([200, second]);
    expect((await owner.get("/api/statistics")).body).toEqual(before);
    expect([await readBin(), (await restoreItem(second.id)).status]).toEqual([[], 404]);
  });

  test("is restored at its position even if other items were added at the end", async () => {
    const { body: form } = await owner.post("/api/forms", { title: "Steps" });
    const path = `/api/form-steps/${form.id}`;
    const titles = async () =>
      (await owner.get(path)).body.map(({ title }: { title: string }) => title).join(" ");
    const step = (title: string, more: object = {}) =>
      createItem("/api/form-steps", { formId: form.id, title, ...more });
    const [one, two] = [await step("1"), await step("2")];
    await step("3");
    await step("4");
    for (const { id } of [one, two]) await deleteItem(`/api/form-steps/${id}`);
    // With the position, like the dashboard, and without, like other clients.
    const listed = (await owner.get(path)).body;
    await step("5", {
      stepOrder: computePositionAfterLast(entities.formSteps.arrangement!, listed),
    });
    await step("6");
    expect(await titles()).toBe("3 4 5 6");
    for (const { id } of [one, two]) expect((await restoreItem(id)).status).toBe(200);
    expect(await titles()).toBe("1 2 3 4 5 6");
  });

  test("stays in the trash while its list is full", async () => {
    const { maxItems } = entities.statistics;
    const item = await createItem("/api/statistics", { value: "1", label: "Shows" });
    await deleteItem(`/api/statistics/${item.id}`);
    const list = site.store.of(entities.statistics);
    const before = list.read().value;
    await list.update(() =>
      Array.from({ length: maxItems }, (_, at) => ({ ...item, id: `${at}` })),
    );
    expect(formatRefusal(await restoreItem(item.id))).toStartWith("409 The list is full");
    await list.update(() => before);
    expect((await restoreItem(item.id)).status).toBe(200);
  });
});

describe("a form", () => {
  test("is deleted with its steps, fields and submissions, and restored with them", async () => {
    const { form, step, submissions } = await createFormWithSubmissions();
    const lists = [
      `form-steps/${form.id}`,
      `form-fields/${step.id}`,
      `form-submissions/${form.id}`,
    ];
    const seen = () =>
      Promise.all(lists.map(async (path) => (await owner.get(`/api/${path}`)).body));
    const before = await seen();
    await deleteItem(`/api/forms/${form.id}`);
    expect(await seen()).toMatchObject(lists.map(() => ({ code: "not_found" })));
    expect((await owner.get("/api/form-submission-counts")).body[form.id]).toBeUndefined();
    expect((await readBin())[0]).toMatchObject({
      entity: "forms",
      contains: { formSteps: 1, formFields: 2, formSubmissions: 2 },
    });
    for (const [method, path, body] of [
      ["PUT", `/api/form-steps/${step.id}`, { title: "Other" }],
      ["DELETE", `/api/form-steps/${step.id}`],
      ["DELETE", `/api/form-submissions/${submissions[0]}`],
    ] as const)
      expect([path, (await owner.call(method, path, body)).status]).toEqual([path, 404]);
    const question = { stepId: step.id, fieldType: "text", label: "New" };
    expect((await owner.post("/api/form-fields", question)).status).toBe(422);
    expect((await restoreItem(form.id)).status).toBe(200);
    expect(await seen()).toEqual(before);
  });

  test("has to be restored before its steps, fields and submissions that were deleted earlier", async () => {
    const { form, step, first, submissions } = await createFormWithSubmissions();
    await deleteItem(`/api/form-submissions/${submissions[0]}`);
    await deleteItem(`/api/form-fields/${first.id}`);
    await deleteItem(`/api/form-steps/${step.id}`);
    await deleteItem(`/api/forms/${form.id}`);
    for (const [id, noun, parent] of [
      [submissions[0], "submission", "form"],
      [first.id, "field", "step"],
      [step.id, "step", "form"],
    ] as const)
      expect(formatRefusal(await restoreItem(id))).toBe(
        `409 This ${noun} belongs to a ${parent} that is also in the trash. Restore the ${parent} first.`,
      );
    for (const id of [form.id, step.id, first.id, submissions[0]])
      expect((await restoreItem(id!)).status).toBe(200);
    expect(await readBin()).toEqual([]);
  });

  test("leaves the trash when an earlier version of the list of forms is restored", async () => {
    const { form } = await createFormWithSubmissions();
    const [{ revision }] = (await owner.get("/api/history/forms")).body;
    await deleteItem(`/api/forms/${form.id}`);
    expect((await owner.post(`/api/history/forms/${revision}/restore`)).status).toBe(200);
    expect(await readBin()).toEqual([]);
    await site.sweep();
    site.advance(31 * DAY_MS);
    await site.sweep();
    owner = await site.logInAsOwner();
    expect((await owner.get(`/api/form-submissions/${form.id}`)).body).toHaveLength(2);
  });
});

describe("a subscription", () => {
  const email = "eve@example.com";
  const subscribe = () => site.visitor().post("/api/email-subscriptions", { email });
  const readFirst = async () => (await owner.get("/api/email-subscriptions")).body[0];

  test("stays in the trash while a newer subscription has the same email address", async () => {
    await subscribe();
    const { id } = await readFirst();
    await deleteItem(`/api/email-subscriptions/${id}`);
    await subscribe();
    const refused = await restoreItem(id);
    expect(formatRefusal(refused)).toBe(
      "409 There is a newer subscription with the same email. Delete that one first.",
    );
    await owner.post("/api/people/erase", { email });
  });

  test("of somebody who unsubscribed meanwhile is restored as unsubscribed", async () => {
    await subscribe();
    const { id } = await readFirst();
    await deleteItem(`/api/email-subscriptions/${id}`);
    await site.visitor().post("/api/email-subscriptions/unsubscribe", { email });
    expect((await restoreItem(id)).body).toMatchObject({ id, email, status: "unsubscribed" });
    await owner.post("/api/people/erase", { email });
  });
});

describe("a deleted picture", () => {
  test("is shown only to the owner, with the places where it is missing, and is restored with its files", async () => {
    const picture = await uploadTestPicture("full-house.png", await createPicture("png", 700, 350));
    await owner.post("/api/hero", { backgroundImage: picture.url });
    const before = await listFiles(picture);
    await deleteItem(`/api/uploads/${picture.id}`);
    expect(await readBin("?kind=pictures")).toMatchObject([
      { id: picture.id, item: { originalName: "full-house.png" }, usedIn: ["Hero"] },
    ]);
    const path = `/api/bin/${picture.id}/picture`;
    expect((await site.visitor().get(picture.url)).status).toBe(404);
    const shown = await owner.get(path);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect((await restoreItem(picture.id)).status).toBe(200);
    expect(await listFiles(picture)).toEqual(before);
    expect((await site.visitor().get(picture.url)).status).toBe(200);
    expect((await owner.get(path)).status).toBe(404);
  });

  test("keeps its files in the trash for 30 days, and then loses them", async () => {
    const picture = await uploadTestPicture("a.png", await createPicture("png", 700, 350));
    const { length } = await listFiles(picture);
    await deleteItem(`/api/uploads/${picture.id}`);
    site.advance(29 * DAY_MS);
    await site.sweep();
    expect(await listFiles(picture)).toHaveLength(length);
    site.advance(DAY_MS);
    await site.sweep();
    expect(await listFiles(picture)).toEqual([]);
  });
});

describe("the trash", () => {
  test("is listed page by page and by kind, and is counted", async () => {
    const picture = await uploadTestPicture("a.png", await createPicture("png", 20, 20));
    const { form, submissions } = await createFormWithSubmissions();
    const item = await createItem("/api/statistics", { value: "1", label: "Shows" });
    await deleteItem(`/api/uploads/${picture.id}`);
    await deleteItem(`/api/form-submissions/${submissions[0]}`);
    await deleteItem(`/api/statistics/${item.id}`);
    await deleteItem(`/api/forms/${form.id}`);
    const all = await owner.get("/api/bin?limit=3");
    expect(all.headers.get("x-total-count")).toBe("4");
    expect((all.body as BinRow[]).map(({ id }) => id)).toEqual([form.id, item.id, submissions[0]!]);
    expect((await readBin("?offset=3")).map(({ id }) => id)).toEqual([picture.id]);
    expect((await readBin("?kind=enquiries")).map(({ id }) => id)).toEqual([submissions[0]!]);
    expect((await readBin("?kind=other")).map(({ id }) => id)).toEqual([form.id, item.id]);
    const counts = { pictures: 1, enquiries: 1, other: 2 };
    expect((await owner.get("/api/bin/counts")).body).toEqual(counts);
    for (const query of ["kind=poems", "limit=0", "offset=x"])
      expect((await owner.get(`/api/bin?${query}`)).status).toBe(422);
  });

  test("is emptied by one call, which returns the number of deleted items", async () => {
    const item = await createItem("/api/statistics", { value: "1", label: "Shows" });
    await deleteItem(`/api/statistics/${item.id}`);
    const picture = await uploadTestPicture("a.png", await createPicture("png", 20, 20));
    await deleteItem(`/api/uploads/${picture.id}`);
    expect((await owner.delete("/api/bin")).body).toEqual({ deleted: 2 });
    expect([await readBin(), await site.store.of(entities.bin).count()]).toEqual([[], 0]);
    expect(await readdir(site.uploadsDir)).not.toContain(`${getFileName(picture)}.unlisted`);
    expect((await owner.delete("/api/bin")).body).toEqual({ deleted: 0 });
    expect((await owner.delete(`/api/bin/${item.id}`)).status).toBe(404);
  });
});

test("emptying the trash gets a response even if the disk takes longer than the idle timeout", async () => {
  let isSlow = false;
  const slowDisk = createFaultyDisk(async (operation) => {
    if (!isSlow || operation !== "sync") return;
    isSlow = false;
    await Bun.sleep((LISTEN_OPTIONS.idleTimeout + 4) * 1000);
  });
  const slowSite = await startSite({ disk: slowDisk });
  try {
    const slowOwner = await slowSite.logInAsOwner();
    const { id } = (await slowOwner.post("/api/statistics", { value: "12", label: "Tours" })).body;
    await slowOwner.delete(`/api/statistics/${id}`);
    isSlow = true;
    expect((await slowOwner.delete("/api/bin")).body).toEqual({ deleted: 1 });
  } finally {
    await slowSite.stop();
  }
});
