/** What every storage engine promises, whatever is behind it. */
import { afterEach, beforeEach, describe } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import { conformingDocuments } from "./conformingDocuments.ts";
import { conformingPages } from "./conformingPages.ts";
import { conformingRecords } from "./conformingRecords.ts";
import { conformingStore } from "./conformingStore.ts";

/** A place that can be opened again after it was closed; the samples are declared in it. */
export interface Engine {
  open(): Promise<Store>;
  /** Closes what is open and removes all data. */
  remove(): Promise<void>;
}

export function conformance(name: string, makeEngine: () => Promise<Engine>): void {
  let engine: Engine;
  let store: Store;
  beforeEach(async () => {
    engine = await makeEngine();
    store = await engine.open();
  });
  afterEach(() => engine.remove());

  const reopened = async (): Promise<Store> => {
    await store.close();
    store = await engine.open();
    return store;
  };
  describe(`${name}: documents`, () => conformingDocuments(() => store, reopened));
  describe(`${name}: records`, () => conformingRecords(() => store, reopened));
  describe(`${name}: records page by page`, () => conformingPages(() => store, reopened));
  describe(`${name}: the store`, () => conformingStore(() => store, reopened));
}
