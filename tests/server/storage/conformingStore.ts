/** The promises of every storage engine about the whole store. */
import { expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import { hero, rejection, retitle, subscriber, subscribers, titleOf } from "./samples.ts";

export function conformingStore(current: () => Store, reopened: () => Promise<Store>): void {
  test("only the first open of an empty location is a fresh installation", async () => {
    expect(current().isInstalled).toBe(false);
    expect((await reopened()).isInstalled).toBe(true);
  });

  test("a site keeps the id that it got at its first start", async () => {
    const { siteId } = current();
    expect(siteId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await reopened()).siteId).toBe(siteId);
  });

  test("listeners are notified of a change after it is stored and before its caller continues", async () => {
    const notified: string[] = [];
    const stop = current().onChange((name) => notified.push(`${name} ${titleOf(current())}`));
    await retitle(current(), "Second");
    expect(notified).toEqual(["hero Second"]);
    await current().of(subscribers).insert(subscriber(1));
    expect(notified).toHaveLength(2);
    stop();
    await current().of(subscribers).insert(subscriber(2));
    expect(notified).toHaveLength(2);
  });

  test("a listener that throws neither reverts the write nor stops the others", async () => {
    const notified: string[] = [];
    current().onChange(() => {
      throw new Error("deaf");
    });
    current().onChange((name) => notified.push(name));
    await current().of(subscribers).insert(subscriber(1));
    expect(notified).toEqual(["subscribers"]);
  });

  test("a record is found by any id", async () => {
    const odd = "it's {\"\\,\0}";
    for (const each of [subscriber(1), subscriber(2, { id: odd })])
      await current().of(subscribers).insert(each);
    expect(await current().of(subscribers).get(odd)).toMatchObject({ id: odd });
    expect(await current().of(subscribers).get("id-4")).toBeUndefined();
  });

  test("the secret is 32 bytes, stays, and can't be changed from outside", async () => {
    const secret = await current().readSecret();
    expect(secret).toHaveLength(32);
    (await current().readSecret()).fill(0);
    expect(await (await reopened()).readSecret()).toEqual(secret);
    expect(secret.some((byte) => byte !== 0)).toBe(true);
  });

  test("an entity that the store was not opened with throws an error", () => {
    expect(() => current().of({ ...hero, name: "nothing" })).toThrow("nothing");
    expect(() => current().of({ ...subscribers, name: "nowhere" })).toThrow("nowhere");
  });

  test("health is fine on a working store", async () => {
    expect(await current().checkHealth()).toBeUndefined();
  });

  test("closing finishes accepted changes and refuses later ones", async () => {
    const change = retitle(current(), "Just in time");
    const closed = current().close();
    expect(await rejection(retitle(current(), "Late"))).toMatchObject({ code: "cannot_store" });
    await closed;
    expect((await change).value.title).toBe("Just in time");
    expect(titleOf(await reopened())).toBe("Just in time");
  });
}
