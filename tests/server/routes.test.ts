/**
 * Walks every route: private ones answer nobody without a session, and of those who are logged in only the permitted
 * (specification, section 6.1).
 */
import { describe, expect, test } from "bun:test";
import { allEntities, entities } from "../../src/schema/index.ts";
import { ROLES } from "../../src/schema/core/roles.ts";
import { type Client, type Method, setUpSiteForAll, startSite } from "../support/testSite.ts";

const READS = allEntities
  .filter(({ readers, shape }) => readers === "everyone" && shape !== "records")
  .map((entity) =>
    entity.shape === "collection" && entity.parent
      ? `GET /api/${entity.name}/:id`
      : `GET /api/${entity.name}`,
  );

/** Public calls that carry no password and log nobody in; a new one is added here on purpose. */
const WITHOUT_PASSWORD = new Set([
  ...READS,
  "GET /api/health",
  "GET /api/health/attention",
  "GET /api/pictures",
  "GET /api/filling-time",
  "POST /api/filling-time",
  "POST /api/form-submissions",
  "POST /api/email-subscriptions",
  "POST /api/email-subscriptions/unsubscribe",
  // Called by mail providers, with their signature or a key in the header or the address.
  "POST /api/letters/reports",
  "ALL /api",
  "ALL /api/*",
]);

/** Everything that anyone may call. A new public route is added here or above, on purpose. */
const PUBLIC = new Set([
  ...WITHOUT_PASSWORD,
  "POST /api/setup/token",
  "POST /api/setup",
  "POST /api/auth/login",
  "GET /api/auth/forgotten",
  "POST /api/auth/forgotten",
  "POST /api/auth/forgotten/link",
  "POST /api/auth/forgotten/password",
  "POST /api/join",
  "POST /api/join/invitation",
  "POST /api/auth/passkey-options",
  "GET /api/auth/passkey-login",
  "POST /api/auth/passkey-login",
  "POST /api/auth/logout",
]);

const site = setUpSiteForAll(startSite);

const listCalls = () =>
  (site.app.routes as { method: Method; path: string }[])
    .filter(({ path }) => path === "/api" || path.startsWith("/api/"))
    .map(({ method, path }) => ({ method, path, name: `${method} ${path}` }));
const listClosedCalls = () => listCalls().filter(({ name }) => !PUBLIC.has(name));

/** The response to a call for something that doesn't exist, except for the hero's history. */
async function sendCall(
  caller: Client,
  { method, path }: ReturnType<typeof listCalls>[0],
  body: unknown,
) {
  const real = path.replace("history/:name", "history/hero").replace(/:\w+|\*/g, "x");
  const { status, body: answer } = await caller.call(
    method,
    real,
    method === "GET" ? undefined : body,
  );
  return { status, code: answer?.code };
}

test("every call that is not on the public list returns 401 without a session", async () => {
  const before = site.readStored();
  const open: string[] = [];
  for (const call of listClosedCalls()) {
    const { status } = await sendCall(site.visitor(), call, {});
    if (status !== 401) open.push(`${call.name} answered ${status}`);
  }
  expect(open).toEqual([]);
  expect(listClosedCalls().length).toBeGreaterThan(45);
  expect(site.readStored()).toBe(before);
});

test("each route exists once", () => {
  const names = listCalls().map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("every public GET returns 200, or 404 for an unknown parent", async () => {
  for (const read of READS) {
    const path = read.slice(4).replace(":id", "x");
    expect((await site.visitor().get(path)).status).toBe(path.endsWith("/x") ? 404 : 200);
  }
});

test("every public call with a password is refused over plain HTTP at a public host name", async () => {
  const tried = listCalls().filter(({ name }) => PUBLIC.has(name) && !WITHOUT_PASSWORD.has(name));
  const accepted: string[] = [];
  for (const { method, path, name } of tried) {
    const body = method === "GET" ? undefined : {};
    const sent = site.visitor().call(method, path, body, { host: "example.com" });
    const { status, body: answer } = await sent;
    if (status !== 403 || answer.code !== "insecure") accepted.push(`${name} answered ${status}`);
  }
  expect(accepted).toEqual([]);
  expect(tried.length).toBeGreaterThan(10);
});

/**
 * What a role other than owner may call: writes of declared content. Any other new route is for owners only until it
 * is added here, on purpose.
 */
const CONTENT_CALL = new RegExp(
  `^(POST|PUT|DELETE) /api/(batch|${allEntities
    .filter(({ readers, permission }) => readers === "everyone" && permission === "content")
    .map(({ name }) => name)
    .join("|")})(/|$)`,
);
const ACCOUNT_ROUTE = /^\w+ \/api\/auth\//;

const ALLOWED: Readonly<Record<"editor" | "reader", (name: string) => boolean>> = {
  editor: (name) =>
    (CONTENT_CALL.test(name) && name !== "DELETE /api/forms/:id") ||
    ACCOUNT_ROUTE.test(name) ||
    /^\w+ \/api\/(history|uploads?)(\/|$)/.test(name) ||
    /^\w+ \/api\/testimonial-requests(\/:id(\/link)?)?$/.test(name) ||
    name === "POST /api/bin/:id/restore" ||
    name === "GET /api/form-submission-counts",
  reader: (name) =>
    ACCOUNT_ROUTE.test(name) ||
    [
      "GET /api/form-submission-counts",
      "GET /api/follow-ups",
      "GET /api/form-submissions",
      "POST /api/form-submissions/search",
      "GET /api/form-submissions/:id",
      "GET /api/form-submissions/:id/replies",
      "POST /api/form-submissions/:id/search",
      "PUT /api/form-submissions/:id/status",
      "PUT /api/form-submissions/:id/progress",
      "POST /api/form-submissions/:id/notes",
      "DELETE /api/form-submissions/:id/notes/:key",
    ].includes(name),
};

describe.each(["editor", "reader"] as const)("logged in as %s", (role) => {
  test("exactly the calls that the role allows are accepted", async () => {
    const person = await site.logInAs(role);
    const before = site.readStored();
    const wrong: string[] = [];
    const [allowed, refused] = [true, false].map((isAllowed) =>
      listClosedCalls().filter(({ name }) => ALLOWED[role](name) === isAllowed),
    );
    let after: string | undefined;
    for (const call of [...refused!, ...allowed!]) {
      const isAllowed = ALLOWED[role](call.name);
      if (isAllowed) after ??= site.readStored();
      const { status, code } = await sendCall(person, call, "no JSON");
      const isRefused = status === 403 && code === "not_allowed";
      if (status === 401 || status >= 500 || isRefused === isAllowed)
        wrong.push(`${call.name} answered ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(after).toBe(before);
  });
});

test("an owner may make every call", async () => {
  const owner = await site.logInAs("admin");
  const refused: string[] = [];
  for (const call of listClosedCalls()) {
    const { status } = await sendCall(owner, call, "no JSON");
    if (status === 401 || status === 403) refused.push(`${call.name} answered ${status}`);
  }
  expect(refused).toEqual([]);
});

/** The calls allowed to someone who has to set up a second factor first. */
const ALLOWED_BEFORE_SECOND_FACTOR = new Set([
  "GET /api/auth/me",
  "GET /api/auth/security",
  "GET /api/auth/proof",
  "POST /api/auth/proof",
  "POST /api/auth/authenticator",
  "POST /api/auth/authenticator/confirm",
  "POST /api/auth/passkeys/options",
  "POST /api/auth/passkeys",
]);

test("a person of any role who has to set up a second factor can make no other calls", async () => {
  const people = await Promise.all(ROLES.map(({ value }) => site.logInAs(value)));
  await site.store.of(entities.loginRules).update(() => ({ secondFactor: true }));
  const before = site.readStored();
  const wrong: string[] = [];
  for (const call of listClosedCalls())
    for (const person of people) {
      const { status, code } = await sendCall(person, call, "no JSON");
      const isRefused = status === 403 && ["second_factor_due", "not_allowed"].includes(code);
      if (
        isRefused === ALLOWED_BEFORE_SECOND_FACTOR.has(call.name) ||
        status === 401 ||
        status >= 500
      )
        wrong.push(`${call.name} answered ${status}`);
    }
  expect(site.readStored()).toBe(before);
  await site.store.of(entities.loginRules).update(() => ({ secondFactor: false }));
  expect(wrong).toEqual([]);
});

test("an editor can read the history of content, but not the history of the site's settings", async () => {
  const editor = await site.logInAs("editor");
  expect((await editor.get("/api/history/hero")).status).toBe(200);
  for (const path of ["site", "site/1"])
    expect((await editor.get(`/api/history/${path}`)).body.code).toBe("not_allowed");
  expect((await editor.post("/api/history/site/1/restore")).body.code).toBe("not_allowed");
});
