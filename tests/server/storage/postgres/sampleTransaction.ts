/** A transaction over four entities: all of it is stored, or nothing. */
import { expect } from "bun:test";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import type { Store } from "../../../../src/server/storage/store.ts";
import {
  appendItem,
  hero,
  type Letter,
  letters,
  createSubscriber,
  subscribers,
  visits,
} from "../samples.ts";

export const SAMPLE_ENTITIES = [hero, subscribers, letters, visits];

/** `runInMiddle` is called between its statements. */
export const runSampleTransaction = (
  store: Store,
  id: string,
  runInMiddle?: () => Promise<void>,
): Promise<void> =>
  store.transaction(async (transaction) => {
    await transaction.of(hero).update((value) => ({ ...value, score: value.score + 1 }));
    await transaction.of(subscribers).insert(createSubscriber(1, { id, email: id, active: true }));
    await runInMiddle?.();
    await transaction.of(letters).insert({ ...(getInitialValues(letters.fields) as Letter), id });
    await transaction.of(visits).update(appendItem({ id, page: "/" }));
  });

/** The ids of stored transactions. Fails if one is incomplete. */
export async function readCompleteIds(store: Store): Promise<ReadonlySet<string>> {
  const ids = store
    .of(visits)
    .read()
    .value.map(({ id }) => id)
    .toSorted();
  const subscribed: string[] = [];
  for await (const { id } of store.of(subscribers).scan()) subscribed.push(id);
  const listed = await store.of(letters).readKeys();
  expect(subscribed.toSorted()).toEqual(ids);
  expect(listed.map((key) => key.id).toSorted()).toEqual(ids);
  expect(store.of(hero).read().value.score).toBe(ids.length);
  return new Set(ids);
}
