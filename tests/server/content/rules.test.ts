/** Values that are refused because of another field, whichever of them is sent. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkNewItem, checkItem } from "../../../src/schema/entities/check.ts";
import {
  DEFAULT_ARRANGEMENT,
  collection,
  type ItemOf,
} from "../../../src/schema/entities/entity.ts";
import { optionalImage, optionalText, order, text } from "../../../src/schema/kinds/fields.ts";
import type { Bin } from "../../../src/server/bin/bin.ts";
import type {
  AccessGuard,
  Reauthentication,
  SessionUser,
} from "../../../src/server/accounts/guard.ts";
import {
  changeItem,
  createItem,
  type ListContext,
} from "../../../src/server/content/listItemWrites.ts";
import type { Refusal } from "../../../src/server/shared/errors.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";

const MESSAGE = "Note who agreed to be shown.";

const pictures = collection("pictures", "Picture", {
  arrangement: DEFAULT_ARRANGEMENT,
  fields: {
    name: text("Name", { required: true }),
    portrait: optionalImage("Portrait"),
    agreed: optionalText("Who agreed"),
    order: order(),
  },
  checkItemRules: ({ portrait, agreed }): Record<string, string> =>
    portrait !== null && agreed === null ? { agreed: MESSAGE } : {},
});

const user = { role: "admin" } as SessionUser;
const CONTEXT = { request: new Request("http://site.example/"), user };
const PORTRAIT = "https://pictures.example/a.jpg";

let directory: string;
let store: Store;
let list: ListContext;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "limelight-rules-"));
  store = await openStore({ directory, entities: [pictures], log: () => {} });
  // These writes involve neither a session nor the bin.
  const [guard, proof, bin] = [{} as AccessGuard, {} as Reauthentication, {} as Bin];
  list = { entity: pictures, store, guard, reauthentication: proof, bin, clock: Date.now };
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

const readStored = () => store.of(pictures).read().value as ItemOf<typeof pictures>[];
const catchRefusal = (write: Promise<unknown>): Promise<Refusal> =>
  write.then(
    () => Promise.reject(new Error("It was taken.")),
    (refusal: Refusal) => refusal,
  );

test("a new item that violates a rule about several fields is refused with a message at one of them", async () => {
  const refusal = await catchRefusal(
    createItem(list, CONTEXT, { name: "Mia", portrait: PORTRAIT, agreed: "" }),
  );
  expect([refusal.status, refusal.message, refusal.details.fields]).toEqual([
    422,
    MESSAGE,
    { agreed: MESSAGE },
  ]);
  expect(readStored()).toEqual([]);
});

test("a change of one field is checked together with the stored values of the other fields", async () => {
  const { item } = await createItem(list, CONTEXT, { name: "Mia" });
  const refusal = await catchRefusal(changeItem(list, CONTEXT, item.id, { portrait: PORTRAIT }));
  expect(refusal.details.fields).toEqual({ agreed: MESSAGE });
  await changeItem(list, CONTEXT, item.id, { portrait: PORTRAIT, agreed: "Mia, on 3 May" });
  const second = await catchRefusal(changeItem(list, CONTEXT, item.id, { agreed: null }));
  expect(second.details.fields).toEqual({ agreed: MESSAGE });
  expect(readStored()).toMatchObject([{ portrait: PORTRAIT, agreed: "Mia, on 3 May" }]);
});

test("of two simultaneous changes that together violate a rule, the second is refused", async () => {
  const agreed = { portrait: PORTRAIT, agreed: "Bo" };
  const { item } = await createItem(list, CONTEXT, { name: "Bo", ...agreed });
  const outcomes = await Promise.allSettled([
    changeItem(list, CONTEXT, item.id, { portrait: null, agreed: null }),
    changeItem(list, CONTEXT, item.id, { portrait: PORTRAIT }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("the dashboard checks the same rule once each field is valid", () => {
  const typed = { name: "Mia", portrait: PORTRAIT, agreed: null };
  expect(checkNewItem(pictures, typed).ok).toBe(true);
  expect(checkItem(pictures, typed)).toEqual({
    ok: false,
    error: MESSAGE,
    fields: { agreed: MESSAGE },
  });
  expect(checkItem(pictures, { ...typed, agreed: "Mia" }).ok).toBe(true);
});
