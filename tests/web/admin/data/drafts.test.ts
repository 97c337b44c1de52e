/** What becomes of drafts when something is written: by this page, or by somebody else. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import {
  changeDraft,
  drafts,
  type DraftState,
  followOwnWrite,
} from "../../../../src/web/admin/data/drafts.ts";
import { saveDraft } from "../../../../src/web/admin/data/saveDraft.ts";
import { emptyDraft } from "../../../../src/web/admin/data/useDraft.ts";
import { entityQuery } from "../../../../src/web/admin/data/useEntity.ts";
import { createItem, onWrite, reorderItems } from "../../../../src/web/admin/data/writes.ts";
import { siteForAll } from "../../../support/siteForAll.ts";
import { startSite } from "../../../support/startSite.ts";

const site = siteForAll(startSite);
const real = globalThis.fetch;

// The dashboard's calls begin with a slash and carry its browser's cookies.
beforeAll(async () => {
  const cookie = (await site.owner()).cookies();
  const asDashboard = (path: string, { headers, ...init }: RequestInit = {}) =>
    real(path.startsWith("/") ? site.url + path : path, {
      ...init,
      headers: { ...(headers as Record<string, string>), ...(path.startsWith("/") && { cookie }) },
    });
  globalThis.fetch = Object.assign(asDashboard, { preconnect: real.preconnect }) as typeof fetch;
});
afterAll(() => void (globalThis.fetch = real));

let stopFollowing: () => void;
beforeEach(() => {
  stopFollowing = onWrite(followOwnWrite);
});
afterEach(() => {
  stopFollowing();
  drafts.value = {};
  queryClient.clear();
});

interface Where {
  readonly key: DraftState["key"];
  readonly item: string;
  readonly parent?: string;
}

/** Types into an item as its form would, over what is stored now. */
async function type({ key, item, parent }: Where, field: string, value: unknown) {
  const { etag } = await queryClient.fetchQuery(entityQuery(key, parent));
  const id = [key, parent, item].filter(Boolean).join("/");
  const fresh = { ...emptyDraft(key, id, "tab", { item, ...(parent && { parent }) }), etag };
  changeDraft(drafts.value[id] ?? fresh, field, value, undefined);
  return id;
}

const aStep = (formId: string, title: string) =>
  site.asOwner("POST", "/api/form-steps", { formId, title });
const aQuestion = (stepId: string, label: string) =>
  site.asOwner("POST", "/api/form-fields", {
    stepId,
    label,
    fieldId: label.toLowerCase(),
    type: "text",
  });
const aNumber = (label: string) =>
  site.asOwner("POST", "/api/statistics", { label, value: "1", icon: "users" });
const phase = (id: string) => drafts.value[id]?.phase;

test("a draft stays on its own list when another list of the same kind is written", async () => {
  const form = await site.asOwner("POST", "/api/forms", { title: "Enquiry" });
  const [one, two] = [await aStep(form.id, "One"), await aStep(form.id, "Two")];
  const question = await aQuestion(one.id, "Name");
  const where = { key: "formFields", item: question.id, parent: one.id } as const;
  const id = await type(where, "label", "Your name");
  await createItem("formFields", { stepId: two.id, label: "Town", fieldId: "town", type: "text" });
  expect(await saveDraft(id)).toBe(true);
});

test("adding and moving by this page is no conflict for what is typed", async () => {
  const [one, two] = [await aNumber("One"), await aNumber("Two")];
  const id = await type({ key: "statistics", item: one.id }, "label", "First");
  const three = await createItem("statistics", { label: "Three", value: "3", icon: "users" });
  await reorderItems("statistics", [three.id, two.id, one.id]);
  expect(await saveDraft(id)).toBe(true);
});

test("this page's own write doesn't hide what somebody else has saved before it", async () => {
  const one = await aNumber("One");
  const id = await type({ key: "statistics", item: one.id }, "label", "Mine");
  await site.asOwner("PUT", `/api/statistics/${one.id}`, { label: "Theirs" });
  await createItem("statistics", { label: "Another", value: "3", icon: "users" });
  expect(await saveDraft(id)).toBe(false);
  expect(phase(id)).toBe("conflict");
});
