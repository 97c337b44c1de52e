/** A site that isn't running, for tests of backups, restores and the doctor. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { SECOND_FACTOR_RESET } from "../../../src/server/accounts/users.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";

export const OWNER: Item<"users"> = {
  id: "019a0000-0000-7000-8000-000000000001",
  username: "ada",
  email: "ada@example.com",
  role: "admin",
  passwordHash: "none",
  createdAt: "2026-11-20T10:00:00.000Z",
  ...SECOND_FACTOR_RESET,
  loginsSeenAt: null,
};

/** Creates a stopped site below a folder, with an owner and the title "Ada"; returns its id. */
export async function createStoppedSite(
  root: string,
  fill: (store: Store) => Promise<unknown> = async () => {},
): Promise<string> {
  await mkdir(join(root, "uploads"), { mode: 0o700 });
  return withStoppedSite(root, async (store) => {
    await store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: "Ada" }));
    await store.of(entities.users).update(() => [OWNER]);
    await fill(store);
    return store.siteId;
  });
}

export async function withStoppedSite<R>(
  root: string,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  const store = await openSiteStorage(root).data.open({ entities: allEntities, log: () => {} });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
