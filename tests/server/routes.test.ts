/** Walks every route: what is not public answers nobody without a session (specification, section 6.1). */
import { expect, test } from "bun:test";
import { allEntities } from "../../src/schema/index.ts";
import type { Method } from "../support/client.ts";
import { siteForAll } from "../support/siteForAll.ts";
import { startSite } from "../support/startSite.ts";

const READS = allEntities
  .filter(({ readers, shape }) => readers === "everyone" && shape !== "records")
  .map((entity) =>
    entity.shape === "collection" && entity.parent
      ? `GET /api/${entity.name}/:id`
      : `GET /api/${entity.name}`,
  );

/** Everything that anybody may call. A new public route is added here, on purpose. */
const PUBLIC = new Set([
  ...READS,
  "GET /api/health",
  "GET /api/pictures",
  "GET /api/filling-time",
  "POST /api/setup/token",
  "POST /api/setup",
  "POST /api/auth/login",
  "POST /api/auth/logout",
  "POST /api/form-submissions",
  "GET /api/filling-time",
  "GET /api/pictures",
  "POST /api/email-subscriptions",
  "POST /api/email-subscriptions/unsubscribe",
  "ALL /api",
  "ALL /api/*",
]);

const site = siteForAll(startSite);

const calls = () =>
  (site.app.routes as { method: string; path: string }[])
    .filter(({ path }) => path === "/api" || path.startsWith("/api/"))
    .map(({ method, path }) => ({ method, path, name: `${method} ${path}` }));

test("every call that is not on the public list answers 401 without a session", async () => {
  const before = site.stored();
  const open: string[] = [];
  const closed = calls().filter(({ name }) => !PUBLIC.has(name));
  for (const { method, path, name } of closed) {
    const real = path.replace(/:\w+/g, "x").replace("*", "x");
    const body = method === "GET" ? undefined : {};
    const { status } = await site.visitor().call(method as Method, real, body);
    if (status !== 401) open.push(`${name} answered ${status}`);
  }
  expect(open).toEqual([]);
  expect(closed.length).toBeGreaterThan(45);
  expect(site.stored()).toBe(before);
});

test("each route is there once", () => {
  const names = calls().map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("every public read answers 200 or, inside of an unknown parent, 404", async () => {
  for (const read of READS) {
    const path = read.slice(4).replace(":id", "x");
    expect((await site.visitor().get(path)).status).toBe(path.endsWith("/x") ? 404 : 200);
  }
});
