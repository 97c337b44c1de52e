/** The promises of every storage engine about the whole store. */
import { expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import {
  hero,
  catchError,
  saveTitle,
  createSubscriber,
  subscribers,
  readTitle,
} from "./samples.ts";

export function testStore(getStore: () => Store, reopen: () => Promise<Store>): void {
  test("only the first open of an empty location is a fresh installation", async () => {
    expect(getStore().isInstalled).toBe(false);
    expect((await reopen()).isInstalled).toBe(true);
  });

  test("a site keeps the id that it got at its first start", async () => {
    const { siteId } = getStore();
    expect(siteId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await reopen()).siteId).toBe(siteId);
  });

  test("listeners are notified of a change after it is stored and before its caller continues", async () => {
    const notified: string[] = [];
    const stop = getStore().onChange((name) => notified.push(`${name} ${readTitle(getStore())}`));
    await saveTitle(getStore(), "Second");
    expect(notified).toEqual(["hero Second"]);
    await getStore().of(subscribers).insert(createSubscriber(1));
    expect(notified).toHaveLength(2);
    stop();
    await getStore().of(subscribers).insert(createSubscriber(2));
    expect(notified).toHaveLength(2);
  });

  test("a listener that throws neither reverts the write nor stops the others", async () => {
    const notified: string[] = [];
    getStore().onChange(() => {
      throw new Error("deaf");
    });
    getStore().onChange((name) => notified.push(name));
    await getStore().of(subscribers).insert(createSubscriber(1));
    expect(notified).toEqual(["subscribers"]);
  });

  test("a record is found by its id, whatever characters the id contains", async () => {
    const odd = "it's {\"\\,\0}";
    for (const each of [createSubscriber(1), createSubscriber(2, { id: odd })])
      await getStore().of(subscribers).insert(each);
    expect(await getStore().of(subscribers).get(odd)).toMatchObject({ id: odd });
    expect(await getStore().of(subscribers).get("id-4")).toBeUndefined();
  });

  test("the secret is 32 bytes, stays, and can't be changed from outside", async () => {
    const secret = await getStore().readSecret();
    expect(secret).toHaveLength(32);
    (await getStore().readSecret()).fill(0);
    expect(await (await reopen()).readSecret()).toEqual(secret);
    expect(secret.some((byte) => byte !== 0)).toBe(true);
  });

  test("an entity that the store was not opened with throws an error", () => {
    expect(() => getStore().of({ ...hero, name: "nothing" })).toThrow("nothing");
    expect(() => getStore().of({ ...subscribers, name: "nowhere" })).toThrow("nowhere");
  });

  test("health is fine on a working store", async () => {
    expect(await getStore().checkHealth()).toBeUndefined();
  });

  test("closing finishes accepted changes and refuses later ones", async () => {
    const change = saveTitle(getStore(), "Just in time");
    const closed = getStore().close();
    expect(await catchError(saveTitle(getStore(), "Late"))).toMatchObject({ code: "cannot_store" });
    await closed;
    expect((await change).value.title).toBe("Just in time");
    expect(readTitle(await reopen())).toBe("Just in time");
  });
}
