/** The promises of every storage engine. */
import { afterEach, beforeEach, describe } from "bun:test";
import type { Entity } from "../../../src/schema/entities/entity.ts";
import type { DataKey } from "../../../src/server/shared/secrets.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { testDocuments } from "./conformingDocuments.ts";
import { testEngine } from "./conformingEngine.ts";
import { testPages } from "./conformingPages.ts";
import { testRecords } from "./conformingRecords.ts";
import { testReleases } from "./conformingReleases.ts";
import { testStore } from "./conformingStore.ts";
import { testTransactions } from "./conformingTransactions.ts";
import { testConditions } from "./conformingWhere.ts";
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
  /** Closes what is open, for engines that remove the data of all tests at the end. */
  close?(): Promise<void>;
}

const SAMPLE_ENTITIES = [hero, subscribers, letters, visits];

export function testEngineConformance(
  name: string,
  makeInstallation: () => Promise<Installation>,
): void {
  let installation: Installation;
  let store: Store;
  beforeEach(async () => {
    installation = await makeInstallation();
    store = await installation.open({ entities: SAMPLE_ENTITIES });
  });
  afterEach(() => (installation.close ?? installation.remove)());

  const reopen = async (): Promise<Store> => {
    await store.close();
    store = await installation.open({ entities: SAMPLE_ENTITIES });
    return store;
  };
  describe(`${name}: documents`, () => testDocuments(() => store, reopen));
  describe(`${name}: records`, () => testRecords(() => store, reopen));
  describe(`${name}: records page by page`, () => testPages(() => store, reopen));
  describe(`${name}: records by their conditions`, () => testConditions(() => store, reopen));
  describe(`${name}: the store`, () => testStore(() => store, reopen));
  describe(`${name}: several entities at once`, () => testTransactions(() => store, reopen));
  describe(`${name}: two releases in turn`, () =>
    testReleases(
      () => installation,
      () => store,
    ));
  describe(`${name}: the engine`, () =>
    testEngine(
      () => installation,
      () => store,
      reopen,
    ));
}
