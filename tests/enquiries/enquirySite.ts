/** A site for the tests of this folder: the real parts, a real data folder, real requests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Elysia } from "elysia";
import { initialValues } from "../../src/schema/check.ts";
import { type Content, entities, type Item } from "../../src/schema/index.ts";
import { cookieName, ownerGuard } from "../../src/server/accounts/guard.ts";
import { sessions } from "../../src/server/accounts/sessions.ts";
import { sessionTokens } from "../../src/server/accounts/sessionTokens.ts";
import { fillingTime } from "../../src/server/forms/fillingTime.ts";
import { floodGuards } from "../../src/server/forms/floodGuards.ts";
import { plainEnquiry } from "../../src/server/forms/plainEnquiry.ts";
import { publicFormCalls } from "../../src/server/forms/publicCalls.ts";
import { reviewCalls } from "../../src/server/forms/reviewCalls.ts";
import type { Submission } from "../../src/server/forms/submissionRecords.ts";
import { clientAddress } from "../../src/server/http/clientAddress.ts";
import { answerTo } from "../../src/server/http/errors.ts";
import { frontDoor, LISTENING } from "../../src/server/http/frontDoor.ts";
import { rateLimits } from "../../src/server/http/rateLimit.ts";
import { visitorPlugin } from "../../src/server/http/visitorPlugin.ts";
import { peopleCalls } from "../../src/server/people/peopleCalls.ts";
import { documentSpecs, recordsSpecs } from "../../src/server/storage/entitySpecs.ts";
import { openStore } from "../../src/server/storage/openStore.ts";
import { RecentlyDeleted } from "../../src/server/storage/recentlyDeleted.ts";
import type { Store } from "../../src/server/storage/store.ts";
import type { Subscription } from "../../src/server/subscriptions/mailingList.ts";
import { ownerListCalls } from "../../src/server/subscriptions/ownerCalls.ts";
import { publicListCalls } from "../../src/server/subscriptions/publicCalls.ts";

export type EnquirySite = Awaited<ReturnType<typeof enquirySite>>;

/** `clock` drives limits and filling times; `faults` collects what should never happen. */
export async function enquirySite({ limited = false, clock = Date.now, directory = "" } = {}) {
  const folder = directory || (await mkdtemp(join(tmpdir(), "limelight-enquiries-")));
  const store = await openStore({
    directory: folder,
    documents: documentSpecs(),
    records: recordsSpecs(),
  });
  const faults: unknown[] = [];
  const filling = fillingTime(await store.secret(), clock);
  const limits = rateLimits(clock, limited);
  const guards = floodGuards(limits, filling);
  const owners = sessions(store, sessionTokens(await store.secret(), Date.now), Date.now);
  const guard = ownerGuard({ https: false, ownerOf: owners.ownerOf });
  const undo = {
    submissions: new RecentlyDeleted<Submission>(clock),
    subscriptions: new RecentlyDeleted<Subscription>(clock),
  };
  const addressOf = clientAddress(["127.0.0.1"]);
  const visitor = visitorPlugin(addressOf);
  const app = new Elysia()
    .onError(({ error, code }) => answerTo(error, code, (fault) => faults.push(fault)))
    .use(publicFormCalls({ store, visitor, guards, filling }))
    .use(reviewCalls({ store, guard, undo: undo.submissions }))
    .use(publicListCalls({ store, visitor, limits }))
    .use(ownerListCalls({ store, guard, undo: undo.subscriptions }))
    .use(peopleCalls({ store, guard, undo }));
  const enter = frontDoor({
    siteUrl: undefined,
    addressOf,
    limited,
    log: () => {},
    report: (fault) => faults.push(fault),
    server: () => app.server,
  });
  app.wrap((handle) => enter(handle as never) as never);
  app.listen({ ...LISTENING, port: 0, hostname: "127.0.0.1" });
  const server = app.server!;
  const cookie = `${cookieName(false)}=${await owners.start(await addOwner(store), null)}`;

  return {
    directory: folder,
    store,
    faults,
    filling,
    url: server.url,
    cookie,
    plain: plainEnquiry(store, guards, filling),
    /** One request; `owner` sends the owner's session, `from` a visitor's address. */
    call(method: string, path: string, body?: unknown, { owner = false, from = "" } = {}) {
      const headers = new Headers({ "user-agent": "Test browser" });
      if (body !== undefined) headers.set("content-type", "application/json");
      if (owner) headers.set("cookie", cookie);
      if (from) headers.set("x-forwarded-for", from);
      return fetch(new URL(path, server.url), {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },
    async close() {
      await server.stop(true);
      await store.close();
    },
    async remove() {
      await this.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function addOwner(store: Store): Promise<Item<"users">> {
  const user = {
    ...initialValues(entities.users.fields),
    id: Bun.randomUUIDv7(),
    username: "owner",
    email: "owner@site.test",
  } as Item<"users">;
  await store.document<Content<"users">>("users").update(() => [user]);
  return user;
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
    .document<Content<"forms">>("forms")
    .update(() => [form("closed", false), form("form", true), form("second", true)]);
  await store
    .document<Content<"formSteps">>("form-steps")
    .update(() => [step("two", 2), step("one", 1), step("off", 3, false)]);
  await store.document<Content<"formFields">>("form-fields").update(() => [
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
