/** What every storage engine promises, whatever is behind it. */
import { afterEach, beforeEach, describe } from "bun:test";
import type { Engine } from "../../../src/server/storage/engine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { conformingDocuments } from "./conformingDocuments.ts";
import { conformingEngine } from "./conformingEngine.ts";
import { conformingPages } from "./conformingPages.ts";
import { conformingRecords } from "./conformingRecords.ts";
import { conformingStore } from "./conformingStore.ts";

/** A place that can be opened again after it was closed; the samples are declared in it. */
export interface Place {
  readonly engine: Engine;
  open(): Promise<Store>;
  /** Closes what is open and removes all data. */
  remove(): Promise<void>;
}

export function conformance(name: string, makePlace: () => Promise<Place>): void {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await makePlace();
    store = await place.open();
  });
  afterEach(() => place.remove());

  const reopened = async (): Promise<Store> => {
    await store.close();
    store = await place.open();
    return store;
  };
  describe(`${name}: documents`, () => conformingDocuments(() => store, reopened));
  describe(`${name}: records`, () => conformingRecords(() => store, reopened));
  describe(`${name}: records page by page`, () => conformingPages(() => store, reopened));
  describe(`${name}: the store`, () => conformingStore(() => store, reopened));
  describe(`${name}: the engine`, () =>
    conformingEngine(
      () => place,
      () => store,
      reopened,
    ));
}
