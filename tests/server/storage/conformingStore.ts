/** What every storage engine promises as a whole (design §6). */
import { expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import { type Hero, rejection, subscriber } from "./samples.ts";

export function conformingStore(current: () => Store, reopened: () => Promise<Store>): void {
  test("only the first open of an empty place is a fresh installation", async () => {
    expect(current().installed).toBe(false);
    expect((await reopened()).installed).toBe(true);
  });

  test("listeners hear of a change after it is stored and before its caller is answered", async () => {
    const heard: string[] = [];
    const stop = current().onChange((name) => {
      heard.push(`${name} ${current().document<Hero>("hero").read().value.title}`);
    });
    await current()
      .document<Hero>("hero")
      .update((value) => ({ ...value, title: "Second" }));
    expect(heard).toEqual(["hero Second"]);
    await current().records("subscribers").insert(subscriber(1));
    expect(heard).toHaveLength(2);
    stop();
    await current().records("subscribers").insert(subscriber(2));
    expect(heard).toHaveLength(2);
  });

  test("a listener that throws neither undoes the write nor silences the others", async () => {
    const heard: string[] = [];
    current().onChange(() => {
      throw new Error("deaf");
    });
    current().onChange((name) => heard.push(name));
    await current().records("subscribers").insert(subscriber(1));
    expect(heard).toEqual(["subscribers"]);
  });

  test("the secret is 32 bytes, stays, and can't be changed from outside", async () => {
    const secret = await current().secret();
    expect(secret).toHaveLength(32);
    (await current().secret()).fill(0);
    expect(await (await reopened()).secret()).toEqual(secret);
    expect(secret.some((byte) => byte !== 0)).toBe(true);
  });

  test("a name that was not declared is a mistake and says so", () => {
    expect(() => current().document("nothing")).toThrow("nothing");
    expect(() => current().records("nothing")).toThrow("nothing");
  });

  test("health is fine on a working store", async () => {
    expect(await current().health()).toBeUndefined();
  });

  test("closing finishes the changes taken and refuses later ones", async () => {
    const hero = current().document<Hero>("hero");
    const taken = hero.update((value) => ({ ...value, title: "Just in time" }));
    const closed = current().close();
    expect((await rejection(hero.update((value) => value))).name).toBe("StorageUnavailable");
    await closed;
    expect((await taken).value.title).toBe("Just in time");
    const again = await reopened();
    expect(again.document<Hero>("hero").read().value.title).toBe("Just in time");
  });
}
