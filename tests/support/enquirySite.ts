/** A site with an enquiry form, and visitors from many addresses. */
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { entities, type Item } from "../../src/schema/index.ts";
import type { Store } from "../../src/server/storage/store.ts";
import type { Submission } from "../../src/schema/enquiry/visitors.ts";
import type { Method } from "./client.ts";
import { startSite } from "./startSite.ts";

/** Starts the site. Visitors' addresses come from X-Forwarded-For, so a test can act as many visitors. */
export async function startEnquirySite({ hasLimits = false } = {}) {
  const site = await startSite({
    env: { RATE_LIMIT: hasLimits ? "on" : "off", TRUSTED_PROXIES: "127.0.0.1" },
  });
  const owner = await site.owner();
  /** Makes a request. `owner` makes it with the owner's session, `from` is a visitor's address. */
  const call = (
    method: Method,
    path: string,
    body?: unknown,
    { owner: asOwner = false, from = "" } = {},
  ) => {
    const headers = { "user-agent": "Test browser", ...(from && { "x-forwarded-for": from }) };
    const caller = asOwner ? owner : site.visitor();
    if (body === undefined) return caller.call(method, path, undefined, headers);
    // Serialized here, since a client sends text unchanged.
    const json = { ...headers, "content-type": "application/json" };
    return caller.call(method, path, JSON.stringify(body), json);
  };
  return {
    ...site,
    enquiries: site.context.enquiries,
    call,
    /** Sends an enquiry as a visitor's page does. */
    send: (body: unknown) => call("POST", "/api/form-submissions", body),
    /** Returns the owner's list for the form of `addForm`. */
    async list(query = "") {
      const path = `/api/form-submissions/form${query}`;
      const response = await call("GET", path, undefined, { owner: true });
      return { response, items: response.body as Submission[] };
    },
    /** Searches that list as the owner. */
    async search(query: object) {
      const response = await call("POST", "/api/form-submissions/form/search", query, {
        owner: true,
      });
      return { response, items: response.body as Submission[] };
    },
  };
}

const createForm = (id: string, isActive: boolean) =>
  ({
    ...getInitialValues(entities.forms.fields),
    id,
    isActive,
    name: "Inner name",
  }) as Item<"forms">;

const createStep = (id: string, stepOrder: number, isActive = true) =>
  ({
    ...getInitialValues(entities.formSteps.fields),
    id,
    formId: "form",
    stepOrder,
    isActive,
  }) as Item<"formSteps">;

/** Adds a form of two steps with a question of most kinds, and parts that nobody may see or answer. */
export async function addForm(store: Store): Promise<void> {
  await store
    .of(entities.forms)
    .update(() => [
      createForm("closed", false),
      createForm("form", true),
      createForm("second", true),
    ]);
  await store
    .of(entities.formSteps)
    .update(() => [createStep("two", 2), createStep("one", 1), createStep("off", 3, false)]);
  await store.of(entities.formFields).update(() => [
    createField("town", "two", 1, "text", "Town"),
    createField("name", "one", 1, "text", "Full name", {
      isRequired: true,
      adminLabel: "Secret label",
    }),
    createField("email", "one", 2, "email", "E-mail"),
    createField("goals", "two", 2, "checkbox", "Goals", { options: "Rest, Play" }),
    createField("country", "two", 3, "country", "Country"),
    createField("phone", "two", 4, "international_phone", "Phone"),
    createField("age", "two", 5, "number", "Age"),
    createField("story", "two", 6, "textarea", "Story", { isRequired: true }),
    createField("hidden", "two", 7, "text", "Hidden", { isActive: false, isRequired: true }),
    createField("asleep", "off", 1, "text", "Asleep", { isRequired: true }),
  ]);
}

function createField(
  id: string,
  stepId: string,
  fieldOrder: number,
  fieldType: Item<"formFields">["fieldType"],
  label: string,
  more: Partial<Item<"formFields">> = {},
): Item<"formFields"> {
  const initial = getInitialValues(entities.formFields.fields) as Item<"formFields">;
  return { ...initial, id, stepId, fieldOrder, fieldType, label, ...more };
}

/** Valid answers to the form of `addForm`. */
export const ANSWERS = { name: "Ann Example", email: "ann@example.com", story: "I want to sing." };

/** Creates a body as in the specification: formId, data, submittedAt. */
export const createEnquiry = (data: Record<string, unknown> = ANSWERS) => ({
  formId: "form",
  data,
  submittedAt: "2026-11-20T10:00:00.000Z",
});
