/**
 * The promises of every storage engine where two releases use one site in turn, the later one with more
 * fields.
 */
import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { collection, records, singleton } from "../../../src/schema/entities/entity.ts";
import { internal, toggle } from "../../../src/schema/kinds/fields.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import type { Installation } from "./conformance.ts";
import { appendItem } from "./samples.ts";

const name = internal("Name", v.string(), "Nobody");
/** The field that the later release adds without a new version. */
const addedFields = { city: internal("City", v.string(), "unknown") };

const declarePerson = <Fields extends object>(fields: Fields) =>
  singleton("person", "Person", { fields: { name, ...fields } });
const declareGuests = <Fields extends object>(fields: Fields) =>
  collection("guests", "Guest", { fields: { name, ...fields } });
const isRead = toggle("Read", false);

const earlierEntities = {
  person: declarePerson({}),
  guests: declareGuests({}),
  callers: records("callers", "Caller", { fields: { name, isRead }, keys: ["isRead"] }),
};
const laterEntities = {
  person: declarePerson(addedFields),
  guests: declareGuests(addedFields),
  // The later release has another key.
  callers: records("callers", "Caller", {
    fields: { name, isRead, ...addedFields },
    keys: ["isRead", "city"],
  }),
};

export function testReleases(getInstallation: () => Installation, getStore: () => Store): void {
  beforeEach(() => getStore().close());

  const using = async <T>(
    entities: typeof earlierEntities | typeof laterEntities,
    use: (store: Store) => Promise<T>,
  ): Promise<T> => {
    const store = await getInstallation().open({ entities: Object.values(entities) });
    const result = await use(store);
    await store.close();
    return result;
  };
  /** Everything that the later release reads: directly, by id, and from a closed site. */
  const read = async (store: Store) => {
    const callers = store.of(laterEntities.callers);
    const scanned = await Array.fromAsync(callers.scan());
    expect(await Promise.all(scanned.map(({ id }) => callers.get(id)))).toEqual(scanned);
    const range = { offset: 0, limit: 10, newestFirst: false };
    expect((await callers.readPage(range)).items).toEqual(scanned);
    const person = store.of(laterEntities.person).read().value;
    return { person, guests: store.of(laterEntities.guests).read().value, callers: scanned };
  };

  test("an added field has its initial value, in records written before and after the addition", async () => {
    await using(earlierEntities, async (store) => {
      await store.of(earlierEntities.person).update((person) => ({ ...person, name: "Vera" }));
      await store.of(earlierEntities.guests).update(appendItem({ id: "guest-1", name: "Ana" }));
      await store
        .of(earlierEntities.callers)
        .insert({ id: "caller-1", name: "Ben", isRead: false });
    });
    const city = "unknown";
    expect(await using(laterEntities, read)).toEqual({
      person: { name: "Vera", city },
      guests: [{ id: "guest-1", name: "Ana", city }],
      callers: [{ id: "caller-1", name: "Ben", isRead: false, city }],
    });
    await using(earlierEntities, (store) =>
      store.of(earlierEntities.callers).insert({ id: "caller-2", name: "Cleo", isRead: true }),
    );
    const { callers } = await using(laterEntities, read);
    expect(callers.map((each) => [each.name, each.city])).toEqual([
      ["Ben", city],
      ["Cleo", city],
    ]);
    expect(
      await using(laterEntities, (store) => store.of(laterEntities.callers).count({ city })),
    ).toBe(2);
  });

  test("an earlier release preserves unknown fields, in records that it changes and in others", async () => {
    const city = "Lisbon";
    await using(laterEntities, async (store) => {
      await store.of(laterEntities.person).update((person) => ({ ...person, city }));
      for (const id of ["guest-1", "guest-2"])
        await store.of(laterEntities.guests).update(appendItem({ id, name: "Ana", city }));
      for (const id of ["caller-1", "caller-2", "caller-3"])
        await store.of(laterEntities.callers).insert({ id, name: "Ben", isRead: false, city });
    });
    await using(earlierEntities, async (store) => {
      await store.of(earlierEntities.person).update((person) => ({ ...person, name: "Vera" }));
      await store
        .of(earlierEntities.guests)
        .update((list) =>
          list.map((guest) => (guest.id === "guest-1" ? { ...guest, name: "Dora" } : guest)),
        );
      await store
        .of(earlierEntities.callers)
        .update("caller-1", (each) => ({ ...each, name: "Emil" }));
      await store
        .of(earlierEntities.callers)
        .updateWhere({ isRead: false }, (each) => ({ ...each, isRead: true }));
    });
    // Twice, since the files are read differently from the journal.
    for (let round = 0; round < 2; round++)
      expect(await using(laterEntities, read)).toEqual({
        person: { name: "Vera", city },
        guests: [
          { id: "guest-1", name: "Dora", city },
          { id: "guest-2", name: "Ana", city },
        ],
        callers: [
          { id: "caller-1", name: "Emil", isRead: true, city },
          { id: "caller-2", name: "Ben", isRead: true, city },
          { id: "caller-3", name: "Ben", isRead: true, city },
        ],
      });
  });

  test("a revision restored by an earlier release can be read by the later one", async () => {
    await using(laterEntities, async (store) => {
      const person = store.of(laterEntities.person);
      await person.update((value) => ({ ...value, city: "Porto" }));
      await person.update((value) => ({ ...value, name: "Vera" }));
    });
    await using(earlierEntities, async (store) => {
      const person = store.of(earlierEntities.person);
      const [latest] = await person.listRevisions();
      const earlier = await person.readRevision(latest!.revision);
      await person.update(() => earlier!.value);
    });
    expect((await using(laterEntities, read)).person).toEqual({ name: "Nobody", city: "Porto" });
  });
}
