/** However often someone logs in, sessions don't fill the store (specification, section 4.5). */
import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite());

test("at most 1,000 sessions are stored, and a new login ends the oldest session", async () => {
  const first = await site.logInAsOwner();
  const sessions = site.store.of(entities.sessions);
  const [session] = sessions.read().value;
  const more = Array.from({ length: 999 }, () => ({ ...session!, id: Bun.randomUUIDv7() }));
  await sessions.update((list) => [...list, ...more]);
  expect((await first.get("/api/auth/me")).status).toBe(200);
  const last = await site.logInAsOwner();
  expect(sessions.read().value.length).toBe(1000);
  expect((await first.get("/api/auth/me")).status).toBe(401);
  expect((await last.get("/api/auth/me")).status).toBe(200);
});
