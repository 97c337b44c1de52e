/** Drafts after a write by this page, or by someone else. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { toEntityName } from "../../../../src/schema/entities/entity.ts";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import {
  setDraftField,
  discardDraft,
  drafts,
  type DraftState,
  createDraftId,
  NEW_ITEM_ID,
} from "../../../../src/web/admin/data/drafts.ts";
import {
  overwriteOtherVersion,
  acceptOtherVersion,
} from "../../../../src/web/admin/data/conflict.ts";
import { storeDrafts } from "../../../../src/web/admin/data/draftStorage.ts";
import { startDraftSync } from "../../../../src/web/admin/data/draftSync.ts";
import { deleteWithUndo } from "../../../../src/web/admin/data/listWrites.ts";
import { saveDraft, saveDrafts } from "../../../../src/web/admin/data/saveDraft.ts";
import { createEmptyDraft } from "../../../../src/web/admin/data/useDraft.ts";
import { createEntityQuery } from "../../../../src/web/admin/data/useEntity.ts";
import { createItem, reorderItems } from "../../../../src/web/admin/data/entityWrites.ts";
import { currentToast } from "../../../../src/web/ui/toast.ts";
import { setUpDashboardCalls } from "../../../support/dashboardCalls.ts";
import { waitForValue } from "../../../support/waits.ts";
import { setUpSiteForAll } from "../../../support/setUpSite.ts";
import { startSite } from "../../../support/startSite.ts";

const site = setUpSiteForAll(startSite);
const { writes, cut, reset } = setUpDashboardCalls(site);
const listCalls = () => writes.map(({ call }) => call);

let stopFollowing: () => void;
beforeEach(() => {
  stopFollowing = startDraftSync();
});
afterEach(() => stopFollowing());

interface DraftLocation {
  readonly key: DraftState["key"];
  readonly item?: string;
  readonly parent?: string;
  readonly group?: string;
}

/** Changes a field as the item's form would, in a draft over the stored values. */
async function type({ key, item, parent, group }: DraftLocation, field: string, value: unknown) {
  const { etag } = await queryClient.fetchQuery(createEntityQuery(key, parent));
  const id = [key, parent, item].filter(Boolean).join("/");
  const fresh = {
    ...createEmptyDraft(key, id, "tab", {
      ...(item && { item }),
      ...(parent && { parent }),
      ...(group && { group }),
    }),
    etag,
  };
  setDraftField(drafts.value[id] ?? fresh, field, value, undefined);
  return id;
}

const createStep = (formId: string, title: string) =>
  site.asOwner("POST", "/api/form-steps", { formId, title });
const createQuestion = (stepId: string, label: string) =>
  site.asOwner("POST", "/api/form-fields", {
    stepId,
    label,
    fieldId: label.toLowerCase(),
    type: "text",
  });
const createStatistic = (label: string) =>
  site.asOwner("POST", "/api/statistics", { label, value: "1", icon: "users" });
const getPhase = (id: string) => drafts.value[id]?.phase;

test("a draft of a question doesn't conflict with a new question in another step", async () => {
  const form = await site.asOwner("POST", "/api/forms", { title: "Enquiry" });
  const [one, two] = [await createStep(form.id, "One"), await createStep(form.id, "Two")];
  const question = await createQuestion(one.id, "Name");
  const where = { key: "formFields", item: question.id, parent: one.id } as const;
  const id = await type(where, "label", "Your name");
  await createItem("formFields", { stepId: two.id, label: "Town", fieldId: "town", type: "text" });
  expect(await saveDraft(id)).toBe(true);
});

test("a failed save says whether the network is missing, and whether the input is stored on this device", async () => {
  const one = await createStatistic("One");
  const id = await type({ key: "statistics", item: one.id }, "label", "Typed");
  const readReason = async () => {
    expect(await saveDraft(id)).toBe(false);
    return drafts.value[id]!.reason;
  };
  cut();
  const stored = "Your changes are saved on this device.";
  expect(await readReason()).toBe(`Couldn't reach the site. ${stored}`);
  Object.assign(navigator, { onLine: false });
  expect(await readReason()).toBe(`You're offline. ${stored}`);
  // Without localStorage in this process, storing fails.
  storeDrafts(Object.values(drafts.value));
  expect(await readReason()).toBe(
    "You're offline. Keep this page open: your changes couldn't be saved on this device.",
  );
  storeDrafts([]);
  Reflect.deleteProperty(navigator, "onLine");
});

test("adding and moving items on this page doesn't conflict with unsaved input", async () => {
  const [one, two] = [await createStatistic("One"), await createStatistic("Two")];
  const id = await type({ key: "statistics", item: one.id }, "label", "First");
  const three = await createItem("statistics", { label: "Three", value: "3", icon: "users" });
  await reorderItems("statistics", [three.id, two.id, one.id]);
  expect(await saveDraft(id)).toBe(true);
});

test("a draft conflicts with somebody else's save even if this page has written to the same list since", async () => {
  const one = await createStatistic("One");
  const id = await type({ key: "statistics", item: one.id }, "label", "Mine");
  await site.asOwner("PUT", `/api/statistics/${one.id}`, { label: "Theirs" });
  await createItem("statistics", { label: "Another", value: "3", icon: "users" });
  expect(await saveDraft(id)).toBe(false);
  expect(getPhase(id)).toBe("conflict");
});

test("deleting an item deletes its draft, and Undo restores the item and the draft", async () => {
  const one = await createStatistic("One");
  const id = await type({ key: "statistics", item: one.id }, "label", "Typed");
  expect(await deleteWithUndo("statistics", one)).toBe(true);
  expect(drafts.value).toEqual({});
  currentToast.value!.action!.onPress();
  await waitForValue(() => currentToast.value?.description, "Statistic restored");
  expect(drafts.value[id]!.changes).toEqual({ label: "Typed" });
  expect(await saveDraft(id)).toBe(true);
});

test("input for an item that somebody else deleted stays in the save bar, which reports the deletion", async () => {
  const one = await createStatistic("One");
  const id = await type({ key: "statistics", item: one.id }, "label", "Typed");
  await site.asOwner("DELETE", `/api/statistics/${one.id}`);
  await queryClient.fetchQuery({ ...createEntityQuery("statistics"), staleTime: 0 });
  await waitForValue(() => getPhase(id), "failed");
  expect(drafts.value[id]).toMatchObject({
    isInSaveBar: true,
    phase: "failed",
    reason: "This was deleted elsewhere. Discard your changes, or have it restored from the trash.",
  });
});

describe("an edit made elsewhere", () => {
  let id: string;
  const saveElsewhere = (mainTitle: string) => site.asOwner("POST", "/api/hero", { mainTitle });
  const readStored = async () => (await site.asOwner("GET", "/api/hero")).mainTitle;
  beforeEach(async () => {
    await saveElsewhere("Before");
    id = await type({ key: "hero" }, "mainTitle", "Mine");
    await saveElsewhere("Theirs");
    expect(await saveDraft(id)).toBe(false);
    expect(getPhase(id)).toBe("conflict");
  });

  test("is shown as soon as the owner accepts it, before the server responds", () => {
    void acceptOtherVersion(id);
    expect(drafts.value).toEqual({});
    const { queryKey } = createEntityQuery("hero");
    expect(queryClient.getQueryData(queryKey)!.value.mainTitle).toBe("Theirs");
  });

  test("may be followed by another edit, about which Keep mine asks again before saving only the typed fields", async () => {
    await site.asOwner("POST", "/api/hero", { mainTitle: "A third", subtitle: "Also theirs" });
    await overwriteOtherVersion(id);
    expect(drafts.value[id]).toMatchObject({
      phase: "conflict",
      otherValue: { mainTitle: "A third" },
    });
    expect(await readStored()).toBe("A third");
    await overwriteOtherVersion(id);
    expect(await readStored()).toBe("Mine");
    expect((await site.asOwner("GET", "/api/hero")).subtitle).toBe("Also theirs");
  });
});

test("input typed into a new item during its save becomes a draft of the saved item", async () => {
  const fresh = createEmptyDraft("statistics", "statistics/new", "tab", { item: NEW_ITEM_ID });
  const set = (name: string, value: string) =>
    setDraftField(drafts.value[fresh.id] ?? fresh, name, value, "");
  for (const [name, value] of [
    ["label", "One"],
    ["value", "1"],
    ["icon", "users"],
  ] as const)
    set(name, value);
  const saved = saveDraft(fresh.id);
  set("label", "One and more");
  expect(await saved).toBe(true);
  const [draft, ...others] = Object.values(drafts.value);
  expect(others).toEqual([]);
  expect(draft).toMatchObject({ changes: { label: "One and more" }, phase: "unsaved" });
  expect(await saveDraft(draft!.id)).toBe(true);
  const list = await site.asOwner<any[]>("GET", "/api/statistics");
  expect(list.find(({ id }) => id === draft!.item).label).toBe("One and more");
});

test("input typed into a part of a new item during its save becomes a draft of that part of the saved item", async () => {
  const address = { key: "statistics", item: NEW_ITEM_ID, part: "label" } as const;
  const fresh = createEmptyDraft("statistics", createDraftId(address), "tab", address);
  setDraftField({ ...fresh, initial: { value: "9" } }, "label", "Shows", "");
  const saving = saveDraft(fresh.id);
  setDraftField(drafts.value[fresh.id]!, "label", "Shows played", "");
  expect(await saving).toBe(true);
  const [made] = await site
    .asOwner<{ id: string; label: string }[]>("GET", "/api/statistics")
    .then((all) => all.filter(({ label }) => label === "Shows"));
  const id = createDraftId({ ...address, item: made!.id });
  expect(drafts.value[id]?.changes).toEqual({ label: "Shows played" });
});

test("a field's previous value, typed again during a save, becomes a new unsaved change", async () => {
  const one = await createStatistic("One");
  const { etag } = await queryClient.fetchQuery(createEntityQuery("statistics"));
  const id = `statistics/${one.id}`;
  const empty = { ...createEmptyDraft("statistics", id, "tab", { item: one.id }), etag };
  const set = (value: string) => setDraftField(drafts.value[id] ?? empty, "label", value, "One");
  set("Two");
  const saved = saveDraft(id);
  set("One");
  await saved;
  expect(drafts.value[id]!.changes).toEqual({ label: "One" });
});

describe("drafts of one group", () => {
  const KEYS = ["styles", "pressSettings", "connectSettings"] as const;
  const getPath = (key: (typeof KEYS)[number]) => `/api/${toEntityName(key)}`;
  const readStored = () =>
    Promise.all(KEYS.map(async (key) => (await site.asOwner("GET", getPath(key))).accentColor));
  const getPhases = () => KEYS.map((key) => getPhase(key));
  beforeEach(async () => {
    for (const key of KEYS) await site.asOwner("POST", getPath(key), { accentColor: "#000000" });
    for (const key of KEYS) await type({ key, group: "look" }, "accentColor", "#FFFFFF");
    writes.length = 0;
  });

  test("are saved in a single request, even if a save is requested for each draft", async () => {
    await saveDrafts(["pressSettings", "styles", "connectSettings"]);
    expect(listCalls()).toEqual(["POST /api/batch"]);
    expect(getPhases()).toEqual(["saved", "saved", "saved"]);
    expect(await readStored()).toEqual(["#FFFFFF", "#FFFFFF", "#FFFFFF"]);
    expect(currentToast.value?.description).toBe("Site styles updated successfully");
  });

  test("are sent to the section's own endpoint, not as a batch, if only one draft is unsaved", async () => {
    discardDraft("pressSettings");
    discardDraft("connectSettings");
    expect(await saveDraft("styles")).toBe(true);
    expect(listCalls()).toEqual(["POST /api/styles"]);
  });

  test("all stay unsaved if one draft is invalid, and only the invalid draft shows an error", async () => {
    await type({ key: "pressSettings" }, "accentColor", "none");
    await saveDrafts(KEYS);
    expect(listCalls()).toEqual([]);
    expect(getPhases()).toEqual(["unsaved", "failed", "unsaved"]);
    expect(drafts.value["pressSettings"]!.errors).toEqual({
      accentColor: "Enter a color such as #00BFFF.",
    });
    expect(await readStored()).toEqual(["#000000", "#000000", "#000000"]);
  });

  test("fail together if the site can't be reached, and are saved together with the next attempt", async () => {
    cut();
    expect(await saveDraft("styles")).toBe(false);
    expect(getPhases()).toEqual(["failed", "failed", "failed"]);
    for (const key of KEYS)
      expect(drafts.value[key]!.reason).toBe(
        "Failed to update site styles. Couldn't reach the site. Your changes are saved on this device.",
      );
    reset();
    expect(await saveDraft("styles")).toBe(true);
    expect(await readStored()).toEqual(["#FFFFFF", "#FFFFFF", "#FFFFFF"]);
  });

  test("don't conflict with a later save of another draft of the same section", async () => {
    const { etag } = await queryClient.fetchQuery(createEntityQuery("styles"));
    const beside = { ...createEmptyDraft("styles", "styles/hero", "hero", { part: "hero" }), etag };
    setDraftField(beside, "heroBackgroundColor", "#123456", "#000000");
    expect(await saveDraft("styles")).toBe(true);
    expect(await saveDraft("styles/hero")).toBe(true);
    expect(await site.asOwner("GET", "/api/styles")).toMatchObject({
      accentColor: "#FFFFFF",
      heroBackgroundColor: "#123456",
    });
  });

  describe("with one section that somebody else changed", () => {
    beforeEach(async () => {
      await site.asOwner("POST", getPath("pressSettings"), { accentColor: "#ABCDEF" });
      await saveDrafts(KEYS);
    });

    test("aren't stored, and only the changed section's draft reports a conflict", async () => {
      expect(listCalls()).toEqual(["POST /api/batch"]);
      expect(getPhases()).toEqual(["unsaved", "conflict", "unsaved"]);
      expect(drafts.value["pressSettings"]!.otherValue).toMatchObject({ accentColor: "#ABCDEF" });
      expect(await readStored()).toEqual(["#000000", "#ABCDEF", "#000000"]);
    });

    test("are all stored with Keep mine", async () => {
      await overwriteOtherVersion("pressSettings");
      expect(listCalls()).toEqual(["POST /api/batch", "POST /api/batch"]);
      expect(await readStored()).toEqual(["#FFFFFF", "#FFFFFF", "#FFFFFF"]);
    });

    test("are stored with Keep theirs, except the conflicting draft", async () => {
      await acceptOtherVersion("pressSettings");
      expect(listCalls()).toEqual(["POST /api/batch", "POST /api/batch"]);
      expect(await readStored()).toEqual(["#FFFFFF", "#ABCDEF", "#FFFFFF"]);
      expect(getPhase("pressSettings")).toBeUndefined();
    });
  });
});
