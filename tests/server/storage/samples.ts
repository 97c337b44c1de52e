/** A document, a list and records for tests of the storage. */
import { afterEach, beforeEach, setDefaultTimeout } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import {
  collection,
  type ItemOf,
  records,
  singleton,
} from "../../../src/schema/entities/entity.ts";
import { choice, internal, timestamp, toggle } from "../../../src/schema/kinds/fields.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { openStore, type StoreOptions } from "../../../src/server/storage/files/openStore.ts";
import type { Records, Store } from "../../../src/server/storage/store.ts";

export const hero = singleton("hero", "Hero", {
  fields: {
    title: internal("Title", v.string(), "First"),
    tags: internal("Tags", v.array(v.string()), ["new"]),
    score: internal("Score", v.number(), 0),
  },
});

const STATES = [
  { value: "new", label: "New" },
  { value: "waiting", label: "Waiting" },
  { value: "sent", label: "Sent" },
] as const;

export type Hero = ItemOf<typeof hero>;

export const subscribers = records("subscribers", "Subscriber", {
  fields: {
    email: { ...internal("Email", v.string(), ""), personal: "named" },
    active: toggle("Active", false),
    note: { ...internal("Note", v.string(), ""), personal: "named" },
  },
  keys: ["active"],
  uniqueField: "email",
});

export type Subscriber = ItemOf<typeof subscribers>;

/** A list in one document, without history: appending to it writes one line. */
export const visits = collection("visits", "Visit", {
  hasHistory: false,
  fields: { page: internal("Page", v.string(), "") },
});

export type Visit = ItemOf<typeof visits>;

export const createVisit = (number: number): Visit => ({
  id: `visit-${number}`,
  page: `/${number}`,
});

/** For `update`: appends an item. */
export const appendItem =
  <T>(item: T) =>
  (list: T[]) => [...list, item];

export const createSubscriber = (number: number, more: Partial<Subscriber> = {}): Subscriber => ({
  id: `id-${number}`,
  email: `person${number}@example.org`,
  active: number % 2 === 0,
  note: "",
  ...more,
});

/** Records with a key of each kind. */
export const letters = records("letters", "Letter", {
  fields: {
    state: choice("State", STATES, "new"),
    sentAt: timestamp("Sent", "create"),
    tries: internal("Tries", v.number(), 0),
    /** Anything that a visitor may type. */
    from: { ...internal("From", v.nullable(v.string()), null), personal: "named" },
    isRead: toggle("Read", false),
  },
  keys: ["id", "state", "sentAt", "tries", "from", "isRead"],
});

export type Letter = ItemOf<typeof letters>;

export const saveTitle = (store: Store, title: string) =>
  store.of(hero).update((value) => ({ ...value, title }));

export const readTitle = (store: Store): string => store.of(hero).read().value.title;

export interface Site {
  directory: string;
  engine: Engine;
  /** All lines that the store has logged. */
  log: string[];
  /** The lines as one text. */
  readLog(): string;
  /** A path in the site's folder. */
  path(...names: string[]): string;
  /** Opens the folder; a store that is open has to be closed first. */
  open(more?: Partial<StoreOptions>): Promise<Store>;
  /** Closes what is open and removes the folder. */
  remove(): Promise<void>;
}

/** Simulates the end of the process. */
class SimulatedExit extends Error {}

/** A new site for every test of a file, from its first hook on. */
export function setUpSiteForEach(): Site {
  // Many synced writes on a machine that may be busy.
  setDefaultTimeout(120_000);
  const site = {} as Site;
  beforeEach(async () => {
    Object.assign(site, await createSite());
  });
  afterEach(() => site.remove());
  return site;
}

export async function createSite(): Promise<Site> {
  const parent = await mkdtemp(join(tmpdir(), "limelight-storage-"));
  const directory = join(parent, "data");
  const log: string[] = [];
  const openStores: Store[] = [];
  return {
    directory,
    engine: createFolderEngine(directory, [hero, subscribers, letters, visits]),
    log,
    readLog: () => log.join("\n"),
    path: (...names) => join(directory, ...names),
    async open(more = {}) {
      const store = await openStore({
        directory,
        entities: [hero, subscribers],
        log: (line) => log.push(line),
        onFatal: (error) => {
          throw new SimulatedExit("the process would end", { cause: error });
        },
        ...more,
      });
      openStores.push(store);
      return store;
    },
    async remove() {
      await Promise.all(openStores.map((store) => store.close()));
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Leaves a stopped site with a title that was changed twice, and three subscribers. */
export async function useAndStop(site: Site): Promise<void> {
  const store = await site.open();
  for (const title of ["Second", "Third"]) await saveTitle(store, title);
  for (const number of [1, 2, 3]) await store.of(subscribers).insert(createSubscriber(number));
  await store.close();
}

/** Leaves a stopped site with this many subscribers. */
export async function fillAndStop(site: Site, count: number): Promise<void> {
  const store = await site.open();
  await insertMany(store.of(subscribers), count);
  await store.close();
}

/** The reason of a rejected promise; fails if it resolves. */
export async function catchError(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("It was expected to be refused.");
}

/** Inserts subscribers 0 to `count` - 1 concurrently. */
export const insertMany = (
  list: Records<Subscriber, { active: boolean }>,
  count: number,
  more: Partial<Subscriber> = {},
  first = 0,
): Promise<Subscriber[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) => list.insert(createSubscriber(first + at, more))),
  );

/** Replaces the folder by its current state, as a kill would leave it. */
export async function simulateKill(
  { directory }: Site,
  store: Store,
  afterwards = () => {},
): Promise<void> {
  const copy = `${directory}-killed`;
  await cp(directory, copy, { recursive: true });
  afterwards();
  await store.close();
  await rm(directory, { recursive: true });
  await cp(copy, directory, { recursive: true });
  await rm(copy, { recursive: true });
  await rm(join(directory, ".lock"), { force: true });
}
