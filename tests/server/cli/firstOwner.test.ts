/** The first owner from the settings, where several instances start at the same moment. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import { listUsers } from "../../../src/server/accounts/users.ts";
import { createFirstOwner } from "../../../src/server/cli/serve.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";

const folder = await mkdtemp(join(tmpdir(), "limelight-owner-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const ADA = {
  adminUsername: "ada",
  adminEmail: "ada@example.com",
  adminPassword: "A voice that fills the hall 7",
};

/**
 * Starts two instances with these settings. Returns their messages and the owners afterwards; `closed` counts the
 * instances that gave up.
 */
async function startInstance(name: string, ...settings: Partial<typeof ADA>[]) {
  const store = await openStore({
    directory: join(folder, name),
    entities: [entities.users, entities.site],
  });
  const lines: string[] = [];
  let closed = 0;
  const close = async () => void closed++;
  const outcomes = await Promise.allSettled(
    settings.map((each) =>
      createFirstOwner({ ...ADA, ...each }, { store, close }, (line) => lines.push(line)),
    ),
  );
  const users = listUsers(store);
  await store.close();
  const failed = outcomes.flatMap((each) =>
    each.status === "rejected" ? (each.reason as Error).message : [],
  );
  return { said: lines, there: users.map(({ email }) => email), closed, failed };
}

test("of two instances that start with the same settings, one creates the owner and the other logs nothing", async () => {
  expect(await startInstance("same", {}, { adminEmail: "Ada@example.com" })).toEqual({
    said: [],
    there: [expect.stringMatching(/^ada@example\.com$/i)],
    closed: 0,
    failed: [],
  });
});

test.each([
  ["address", { adminEmail: "bea@example.com" }],
  ["name", { adminUsername: "bea" }],
])(
  "an instance whose settings give the owner another %s creates no second owner and logs this",
  async (field, other) => {
    const { said, there, closed } = await startInstance(field, {}, other);
    expect(there).toHaveLength(1);
    expect(said).toEqual([expect.stringContaining("Use the same settings on all instances.")]);
    expect(closed).toBe(0);
  },
);

test("a start whose settings can't create an owner fails with the reason", async () => {
  const { failed, there, closed } = await startInstance("weak", { adminPassword: "short" });
  expect([there, closed]).toEqual([[], 1]);
  expect(failed).toEqual([expect.stringContaining("ADMIN_PASSWORD: ")]);
});
