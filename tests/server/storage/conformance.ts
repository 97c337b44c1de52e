/** The promises of every storage engine. */
import { afterEach, beforeEach, describe } from "bun:test";
import type { Entity } from "../../../src/schema/entities/entity.ts";
import type { DataKey } from "../../../src/server/shared/secrets.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { conformingDocuments } from "./conformingDocuments.ts";
import { conformingEngine } from "./conformingEngine.ts";
import { conformingPages } from "./conformingPages.ts";
import { conformingRecords } from "./conformingRecords.ts";
import { conformingReleases } from "./conformingReleases.ts";
import { conformingStore } from "./conformingStore.ts";
import { conformingTransactions } from "./conformingTransactions.ts";
import { conformingWhere } from "./conformingWhere.ts";
import { hero, letters, subscribers, visits } from "./samples.ts";

/** Storage that can be opened again after it was closed; by default with two of the samples. */
export interface Installation {
  readonly engine: Engine;
  open(more?: {
    readonly entities?: readonly Entity[];
    readonly dataKey?: DataKey;
  }): Promise<Store>;
  /** Closes what is open and removes all data. */
  remove(): Promise<void>;
  /** Closes what is open, where the data of all tests is removed at the end. */
  close?(): Promise<void>;
}

const SAMPLES = [hero, subscribers, letters, visits];

export function conformance(name: string, makeInstallation: () => Promise<Installation>): void {
  let installation: Installation;
  let store: Store;
  beforeEach(async () => {
    installation = await makeInstallation();
    store = await installation.open({ entities: SAMPLES });
  });
  afterEach(() => (installation.close ?? installation.remove)());

  const reopened = async (): Promise<Store> => {
    await store.close();
    store = await installation.open({ entities: SAMPLES });
    return store;
  };
  describe(`${name}: documents`, () => conformingDocuments(() => store, reopened));
  describe(`${name}: records`, () => conformingRecords(() => store, reopened));
  describe(`${name}: records page by page`, () => conformingPages(() => store, reopened));
  describe(`${name}: records by their conditions`, () => conformingWhere(() => store, reopened));
  describe(`${name}: the store`, () => conformingStore(() => store, reopened));
  describe(`${name}: several entities at once`, () =>
    conformingTransactions(() => store, reopened));
  describe(`${name}: two releases in turn`, () =>
    conformingReleases(
      () => installation,
      () => store,
    ));
  describe(`${name}: the engine`, () =>
    conformingEngine(
      () => installation,
      () => store,
      reopened,
    ));
}
