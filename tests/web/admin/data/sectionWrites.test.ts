/** The requests and messages of every section's tab, for its list and its singleton (specification, section 8.3). */
import { describe, expect, test } from "bun:test";
import { type DocumentKey, entities, type Entity } from "../../../../src/schema/index.ts";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { setDraftField, drafts, NEW_ITEM_ID } from "../../../../src/web/admin/data/drafts.ts";
import { reorderList, deleteWithUndo } from "../../../../src/web/admin/data/listWrites.ts";
import { saveDraft } from "../../../../src/web/admin/data/saveDraft.ts";
import { createEmptyDraft } from "../../../../src/web/admin/data/useDraft.ts";
import { createEntityQuery } from "../../../../src/web/admin/data/useEntity.ts";
import { currentToast } from "../../../../src/web/ui/toast.ts";
import { setUpDashboardCalls } from "../../../support/dashboardCalls.ts";
import { setUpSiteForAll } from "../../../support/setUpSite.ts";
import { startSite } from "../../../support/startSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSiteForAll(startSite);
const { writes, cut, obstruct, reset } = setUpDashboardCalls(site);

const UNREACHED = "Couldn't reach the site. Your changes are saved on this device.";

const readToast = () => currentToast.value?.description;
const getPath = (key: DocumentKey) => `/api/${entities[key].name}`;

interface DraftTarget {
  readonly id: string;
  readonly item?: string;
}

/** Edits a tab's form; the declaration decides what it sends. */
function type(key: DocumentKey, values: object, { id, item }: DraftTarget): void {
  const fresh = createEmptyDraft(key, id, "tab", { ...(item && { item }) });
  for (const [name, value] of Object.entries(values))
    setDraftField(drafts.value[id] ?? fresh, name, value, undefined);
}

/**
 * Saves three times: the server fails without a message, can't be reached, and responds. The draft stays until it is
 * stored; the save bar shows each failure, or a toast does for a draft that isn't in the save bar.
 */
async function expectSaved(id: string, success: string, failure: string): Promise<void> {
  for (const [fail, reason] of [
    [obstruct, failure],
    [cut, UNREACHED],
  ] as const) {
    currentToast.value = null;
    fail();
    expect(await saveDraft(id)).toBe(false);
    expect(readToast()).toBe(drafts.value[id]?.isInSaveBar ? undefined : failure);
    const isExplained = drafts.value[id]?.isInSaveBar && reason === UNREACHED;
    const whole = isExplained ? `${failure}. ${UNREACHED}` : reason;
    expect(drafts.value[id]).toMatchObject({ phase: "failed", reason: whole });
    reset();
  }
  writes.length = 0;
  expect(await saveDraft(id)).toBe(true);
  expect(readToast()).toBe(success);
}

interface ListCase {
  readonly key: DocumentKey;
  readonly label: string;
  readonly plural: string;
  readonly values: object;
  /** What a new item sends; by default the typed values and its order. */
  readonly sent?: object;
  readonly changed: object;
  /** Replaces the success messages made from the label. */
  readonly saved?: string;
}

const IMAGE = "https://pictures.example/a.jpg";
const LINK = "https://example.com/nora";

const LISTS: readonly ListCase[] = [
  {
    key: "statistics",
    label: "Statistic",
    plural: "Statistics",
    values: { value: "15+", label: "Years on stage" },
    changed: { label: "Years" },
  },
  {
    key: "highlights",
    label: "Highlight",
    plural: "Highlights",
    values: { title: "Opening night", subtitle: "Palace Theatre", imageUrl: IMAGE },
    changed: { subtitle: null },
  },
  {
    key: "connectLinks",
    label: "Connect link",
    plural: "Connect links",
    values: { platform: "tiktok", url: LINK, displayText: "TikTok", isActive: true },
    sent: { id: "", platform: "tiktok", url: LINK, displayText: "TikTok", isActive: true },
    changed: { displayText: "Every night" },
    saved: "Connect link saved successfully",
  },
  {
    key: "pressFeatures",
    label: "Press feature",
    plural: "Press features",
    values: { name: "Late Edition", subtitle: "Third place", description: "A page." },
    sent: { name: "Late Edition", subtitle: "Third place", description: "A page.", logoUrl: null },
    changed: { logoUrl: IMAGE },
  },
  {
    key: "transformations",
    label: "Transformation",
    plural: "Transformations",
    values: { imageUrl: IMAGE },
    changed: { title: "Twelve weeks" },
  },
];

describe.each(LISTS)(
  "$plural",
  ({ key, label, plural, values, sent, changed, saved: savedMessage }) => {
    const [one, all] = [label.toLowerCase(), plural.toLowerCase()];
    const readStored = () => site.asOwner<{ id: string; order: number }[]>("GET", getPath(key));
    const readEntity = () => queryClient.fetchQuery(createEntityQuery(key));
    /** Replaces the list by this many items, in order. */
    async function createItems(count: number): Promise<string[]> {
      for (const { id } of await readStored())
        await site.asOwner("DELETE", `${getPath(key)}/${id}`);
      for (let order = 0; order < count; order++)
        await site.asOwner("POST", getPath(key), { ...values, order });
      await readEntity();
      return (await readStored()).map(({ id }) => id);
    }

    test("saving a new item sends its fields and its position, and shows a toast", async () => {
      await createItems(2);
      type(key, { ...values, order: 2 }, { id: `${key}/new`, item: NEW_ITEM_ID });
      await expectSaved(
        `${key}/new`,
        savedMessage ?? `${label} created successfully`,
        `Failed to create ${one}`,
      );
      expect(writes).toEqual([
        { call: `POST ${getPath(key)}`, body: { ...(sent ?? values), order: 2 } },
      ]);
    });

    test("saving a changed item sends all its fields, and shows a toast", async () => {
      const [id = ""] = await createItems(1);
      type(key, changed, { id: `${key}/${id}`, item: id });
      await expectSaved(
        `${key}/${id}`,
        savedMessage ?? `${label} updated successfully`,
        `Failed to update ${one}`,
      );
      const same = { ...(sent ?? values), ...(sent && "id" in sent && { id }) };
      expect(writes).toEqual([
        { call: `PUT ${getPath(key)}/${id}`, body: { ...same, order: 0, ...changed } },
      ]);
    });

    test("a deletion shows a toast, and Undo restores the item at its position", async () => {
      const ids = await createItems(2);
      cut();
      expect(await deleteWithUndo(key, { id: ids[0]! })).toBe(false);
      expect(readToast()).toBe(`Failed to delete ${one}`);
      reset();
      expect(await readStored()).toHaveLength(2);
      await deleteWithUndo(key, { id: ids[0]! });
      expect(readToast()).toBe(`${label} deleted successfully`);
      expect((await readStored()).map(({ id }) => id)).toEqual([ids[1]!]);
      currentToast.value!.action!.onPress();
      await waitForValue(readToast, `${label} restored`);
      expect((await readStored()).map(({ id }) => id)).toEqual(ids);
    });

    test("a move sends the new positions of all items, and is reverted by Undo or a failure", async () => {
      const [a = "", b = "", c = ""] = await createItems(3);
      const list = { entity: key, getName: () => "It" };
      const shown = () => {
        const { value } = queryClient.getQueryData(createEntityQuery(key).queryKey) ?? {};
        return (value as { id: string }[] | undefined)?.map(({ id }) => id);
      };
      cut();
      const failing = reorderList(list, [a, c, b], c);
      expect(shown()).toEqual([a, c, b]);
      await failing;
      expect(readToast()).toBe(`Failed to reorder ${all}`);
      expect(shown()).toEqual([a, b, c]);
      reset();
      writes.length = 0;
      await reorderList(list, [a, c, b], c);
      expect(readToast()).toBe(`${plural} reordered successfully`);
      const updates = [a, c, b].map((id, order) => ({ id, order }));
      expect(writes).toEqual([{ call: `POST ${getPath(key)}/reorder`, body: { updates } }]);
      expect((await readStored()).map(({ id }) => id)).toEqual([a, c, b]);
      const undo = currentToast.value!.action!;
      expect(undo.label).toBe("Undo");
      undo.onPress();
      await waitForValue(shown, [a, b, c]);
      await waitForValue(async () => (await readStored()).map(({ id }) => id), [a, b, c]);
    });
  },
);

const COLORS = ["backgroundColor", "textColor", "accentColor"];
const BUTTON = ["buttonText", "buttonLink"];
const SETTINGS = "Failed to save settings";

/** For singletons: the typed values, the sent fields, and the messages. */
const VALUES: [DocumentKey, object, readonly string[], string, string][] = [
  [
    "hero",
    { mainTitle: "Ann" },
    ["mainTitle", "subtitle", "tagline", "backgroundImage", ...BUTTON],
    "Hero content updated successfully",
    "Failed to update hero content",
  ],
  [
    "styles",
    { headingFont: "Oswald", borderRadius: "0" },
    Object.keys(entities.styles.fields),
    "Site styles updated successfully",
    "Failed to update site styles",
  ],
  [
    "coachingHero",
    { tagline: "Twelve weeks" },
    ["mainTitle", "subtitle", "tagline", "backgroundImage", ...BUTTON],
    "Coaching hero saved successfully",
    "Failed to save coaching hero",
  ],
  [
    "highlightSettings",
    { heading: "MOMENTS" },
    ["heading", ...COLORS],
    "Highlights settings saved successfully",
    SETTINGS,
  ],
  [
    "connectSettings",
    { heading: "FIND ME" },
    ["heading", "description", ...COLORS],
    "Connect settings saved successfully",
    SETTINGS,
  ],
  [
    "pressSettings",
    { heading: "AS SEEN IN" },
    ["heading", "description", ...COLORS],
    "Press settings saved successfully",
    "Failed to save press settings",
  ],
  [
    "transformationSettings",
    { heading: "BEFORE AND AFTER" },
    ["heading", "description", ...COLORS],
    "Transformations settings saved successfully",
    SETTINGS,
  ],
];

test.each(VALUES)(
  "saving the section %s sends all its fields, and shows a toast",
  async (key, values, sent, success, failure) => {
    await queryClient.fetchQuery(createEntityQuery(key));
    type(key, values, { id: key });
    await expectSaved(key, success, failure);
    expect(writes).toEqual([
      { call: `POST ${getPath(key)}`, body: expect.objectContaining(values) },
    ]);
    expect(Object.keys(writes[0]!.body)).toEqual([...sent]);
  },
);

/** Typed values, for lists in a new item, and the messages of their refusals. */
const REFUSED: [DocumentKey, object, string][] = [
  ["hero", { mainTitle: "  " }, "Please fill in all text fields"],
  ["hero", { subtitle: "" }, "Please fill in all text fields"],
  ["hero", { tagline: "" }, "Please fill in all text fields"],
  ["about", { title: "   " }, "Title and content are required"],
  ["about", { content: "" }, "Title and content are required"],
  ["statistics", { value: "  ", label: "Shows" }, "Value and label are required"],
  ["connectLinks", { platform: "website" }, "URL and Display Text are required"],
  ["transformations", { imageUrl: "" }, "Image is required"],
];

test.each(REFUSED)(
  "saving %s with %j fails with the section's message, and sends nothing",
  async (key, values, words) => {
    await queryClient.fetchQuery(createEntityQuery(key));
    const isList = (entities[key] as Entity).shape === "collection";
    type(key, values, { id: `${key}/x`, ...(isList && { item: NEW_ITEM_ID }) });
    expect(await saveDraft(`${key}/x`)).toBe(false);
    expect(drafts.value[`${key}/x`]).toMatchObject({ phase: "failed", reason: words });
    expect(writes).toEqual([]);
  },
);
