/** Every form sends a newly declared field, since none lists its fields. */
import { beforeAll, expect, test } from "bun:test";
import { createChangeBody, getClientFields } from "../../../../src/schema/entities/check.ts";
import { optionalText } from "../../../../src/schema/kinds/fields.ts";
import { type EntityKey, entities, type Entity } from "../../../../src/schema/index.ts";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { setDraftField, drafts } from "../../../../src/web/admin/data/drafts.ts";
import { saveDraft } from "../../../../src/web/admin/data/saveDraft.ts";
import { createEmptyDraft } from "../../../../src/web/admin/data/useDraft.ts";
import { createEntityQuery } from "../../../../src/web/admin/data/useEntity.ts";
import { getItemPath, updateItem } from "../../../../src/web/admin/data/entityWrites.ts";
import { setUpDashboardCalls } from "../../../support/dashboardCalls.ts";
import { makeForm } from "../../../support/enquiryForm.ts";
import { setUpSiteForAll } from "../../../support/setUpSite.ts";
import { startSite } from "../../../support/startSite.ts";

const site = setUpSiteForAll(startSite);
const { writes } = setUpDashboardCalls(site);

const IMAGE = "https://pictures.example/a.jpg";
const LINK = "https://example.com/nora";

/** Required values of a stored item of each list; a form's children are created with it. */
const ITEMS: Partial<Record<EntityKey, object>> = {
  statistics: { value: "15+", label: "Years on stage", order: 0 },
  highlights: { title: "Opening night", imageUrl: IMAGE, order: 0 },
  connectLinks: { platform: "tiktok", url: LINK, displayText: "TikTok", order: 0 },
  pressFeatures: { name: "Late Edition", subtitle: "Third place", order: 0 },
  transformations: { imageUrl: IMAGE, order: 0 },
  videos: { url: "https://youtu.be/ABCDEFGHIJK", title: "Reel", poster: IMAGE, order: 0 },
  events: { title: "Live", kind: "online", startsAt: "2030-03-14T20:00" },
  packages: { title: "Twelve weeks", order: 0 },
  testimonials: { words: "It changed my year.", name: "Mia", order: 0 },
};

/** The gallery turns extras on and off, without a form. */
const FORM_KEYS = Object.entries<Entity>(entities)
  .filter(([key, { readers }]) => readers === "everyone" && key !== "extras")
  .map(([key]) => key as EntityKey);

const form = { forms: "", formSteps: "", formFields: "" };

beforeAll(async () => {
  const made = await makeForm(site, "Work with me", [["text", "Name"]]);
  [form.forms, form.formSteps] = [made.formId, made.stepId];
  form.formFields = made.ids[0] ?? "";
});

/** The id of a stored item and of its parent; none for a singleton. */
async function createStoredItem(key: EntityKey) {
  if (entities[key].shape === "singleton") return {};
  if (key === "forms") return { item: form.forms };
  if (key === "formSteps") return { item: form.formSteps, parent: form.forms };
  if (key === "formFields") return { item: form.formFields, parent: form.formSteps };
  const path = `/api/${entities[key].name}`;
  const { id } = await site.asOwner<{ id: string }>("POST", path, ITEMS[key]);
  return { item: id };
}

/** Declares the field while `act` runs, also for the server in this process. */
async function withNickname(key: EntityKey, act: () => Promise<void>): Promise<void> {
  const fields = entities[key].fields as Record<string, unknown>;
  fields["nickname"] = optionalText("Nickname");
  try {
    await act();
  } finally {
    delete fields["nickname"];
  }
}

test("these tests find at least 14 forms of the dashboard", () =>
  expect(FORM_KEYS.length).toBeGreaterThanOrEqual(14));

test.each(FORM_KEYS)("a field added to entity %s is sent and stored", (key) =>
  withNickname(key, async () => {
    const { item, parent } = await createStoredItem(key);
    await queryClient.fetchQuery(createEntityQuery(key, parent));
    const options = { ...(item && { item }), ...(parent && { parent }) };
    setDraftField(createEmptyDraft(key, "draft", "tab", options), "nickname", "Ann", null);
    expect(await saveDraft("draft"), drafts.value["draft"]?.reason).toBe(true);
    expect(writes.at(-1)?.body).toMatchObject({ nickname: "Ann" });
    const read = await queryClient.fetchQuery({ ...createEntityQuery(key, parent), staleTime: 0 });
    const [stored] = [read.value]
      .flat()
      .filter((each) => !item || ("id" in each && each.id === item));
    expect(stored).toMatchObject({ nickname: "Ann" });
  }),
);

test.each(["forms", "formSteps", "formFields"] as const)(
  "a click on an item's badge keeps the value of a field added to entity %s",
  (key) =>
    withNickname(key, async () => {
      const { item, parent } = await createStoredItem(key);
      await site.asOwner("PUT", getItemPath(key, item!), { nickname: "Bo" });
      const { value } = await queryClient.fetchQuery({
        ...createEntityQuery(key, parent),
        staleTime: 0,
      });
      const stored = (value as { id: string }[]).find(({ id }) => id === item)!;
      await updateItem(key, item!, createChangeBody(entities[key], stored));
      expect(writes.at(-1)?.body).toMatchObject({ nickname: "Bo" });
    }),
);

test("a saved change omits fields set only at creation or by a move, and restricted fields that didn't change", async () => {
  const { item } = await createStoredItem("forms");
  await queryClient.fetchQuery(createEntityQuery("forms"));
  const draft = createEmptyDraft("forms", "draft", "tab", { item: item! });
  setDraftField(draft, "title", "Train with me", null);
  expect(await saveDraft("draft")).toBe(true);
  const owners = ["deleteAfter", "thanksMail", "thanksWords"];
  const all = getClientFields(entities.forms.fields).map(([name]) => name);
  const sent = all.filter((name) => name !== "name" && !owners.includes(name));
  expect(Object.keys(writes.at(-1)!.body)).toEqual(sent);
  setDraftField(draft, "deleteAfter", "6", "never");
  expect(await saveDraft("draft")).toBe(true);
  expect(writes.at(-1)!.body).toMatchObject({ deleteAfter: "6" });
  for (const key of ["formSteps", "formFields"] as const)
    for (const name of ["formId", "stepId", "stepOrder", "fieldOrder"])
      expect(Object.keys(createChangeBody(entities[key], {}))).not.toContain(name);
});
