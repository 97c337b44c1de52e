/** A site for the tests of this folder: started as all tests start one, with an enquiry form. */
import { initialValues } from "../../src/schema/check.ts";
import { entities, type Item } from "../../src/schema/index.ts";
import type { AppContext } from "../../src/server/app.ts";
import type { Store } from "../../src/server/storage/store.ts";
import type { Submission } from "../../src/server/visitors/submissions.ts";
import { startSite } from "./startSite.ts";

export type EnquirySite = Awaited<ReturnType<typeof enquirySite>>;

/** Visitors' addresses come from X-Forwarded-For, so that a test can be many visitors. */
export async function enquirySite({ limited = false } = {}) {
  let parts: AppContext | undefined;
  const site = await startSite({
    env: { RATE_LIMIT: limited ? "on" : "off", TRUSTED_PROXIES: "127.0.0.1" },
    plugins: (given) => {
      parts = given;
      return [];
    },
  });
  const owner = await site.loginAsOwner();
  const call = (
    method: string,
    path: string,
    body?: unknown,
    { owner: asOwner = false, from = "" } = {},
  ) => {
    const headers = new Headers({ "user-agent": "Test browser" });
    if (body !== undefined) headers.set("content-type", "application/json");
    if (asOwner) headers.set("cookie", owner.cookies());
    if (from) headers.set("x-forwarded-for", from);
    return fetch(site.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  return {
    ...site,
    forms: parts!.forms,
    cookie: owner.cookies(),
    /** One request; `owner` sends the owner's session, `from` a visitor's address. */
    call,
    /** Sends an enquiry as a visitor's page does. */
    send: (body: unknown) => call("POST", "/api/form-submissions", body),
    /** What the owner gets to see of the form of `addForm`. */
    async list(query = "") {
      const path = `/api/form-submissions/form${query}`;
      const answer = await call("GET", path, undefined, { owner: true });
      return { answer, items: (await answer.json()) as Submission[] };
    },
  };
}

const form = (id: string, isActive: boolean) =>
  ({
    ...initialValues(entities.forms.fields),
    id,
    isActive,
    name: "Inner name",
  }) as Item<"forms">;

const step = (id: string, stepOrder: number, isActive = true) =>
  ({
    ...initialValues(entities.formSteps.fields),
    id,
    formId: "form",
    stepOrder,
    isActive,
  }) as Item<"formSteps">;

/** A form of two steps with one question of most kinds, and what nobody may see or answer. */
export async function addForm(store: Store): Promise<void> {
  await store
    .of(entities.forms)
    .update(() => [form("closed", false), form("form", true), form("second", true)]);
  await store
    .of(entities.formSteps)
    .update(() => [step("two", 2), step("one", 1), step("off", 3, false)]);
  await store.of(entities.formFields).update(() => [
    field("town", "two", 1, "text", "Town"),
    field("name", "one", 1, "text", "Full name", {
      isRequired: true,
      adminLabel: "Secret label",
    }),
    field("email", "one", 2, "email", "E-mail"),
    field("goals", "two", 2, "checkbox", "Goals", { options: "Rest, Play" }),
    field("country", "two", 3, "country", "Country"),
    field("phone", "two", 4, "international_phone", "Phone"),
    field("age", "two", 5, "number", "Age"),
    field("story", "two", 6, "textarea", "Story", { isRequired: true }),
    field("hidden", "two", 7, "text", "Hidden", { isActive: false, isRequired: true }),
    field("asleep", "off", 1, "text", "Asleep", { isRequired: true }),
  ]);
}

function field(
  id: string,
  stepId: string,
  fieldOrder: number,
  fieldType: Item<"formFields">["fieldType"],
  label: string,
  more: Partial<Item<"formFields">> = {},
): Item<"formFields"> {
  const initial = initialValues(entities.formFields.fields) as Item<"formFields">;
  return { ...initial, id, stepId, fieldOrder, fieldType, label, ...more };
}

/** Answers that the form of `addForm` takes. */
export const ANSWERS = { name: "Ann Example", email: "ann@example.com", story: "I want to sing." };

/** A body that the specification lists: formId, data, submittedAt. */
export const enquiry = (data: Record<string, unknown> = ANSWERS) => ({
  formId: "form",
  data,
  submittedAt: "2026-11-20T10:00:00.000Z",
});
