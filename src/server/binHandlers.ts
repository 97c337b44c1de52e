/** Restores and permanently deletes the bin's items, with functions of several folders. */
import { type AnyRecords, type Collection, entities, type Item } from "../schema/index.ts";
import { countDescendants, prepareDescendantRemoval } from "./content/descendants.ts";
import type { BinHandler } from "./content/binRoutes.ts";
import { type Clock, getTimestamp } from "./shared/clock.ts";
import { removeTestimonialLink } from "./content/withdrawnTestimonials.ts";
import { createOwnerListWith, restoreItem } from "./content/listItemWrites.ts";
import type { Log } from "./shared/log.ts";
import type { Bin, DeletableEntity } from "./bin/bin.ts";
import type { Store } from "./storage/store.ts";
import { createPictureUseLookup } from "./uploads/pictureUse.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";
import { restoreRecord } from "./visitors/recordRoutes.ts";

interface BinHandlersContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly library: UploadLibrary;
  /** The trusted time (upkeep/trustedClock.ts). */
  readonly clock: Clock;
  readonly log: Log;
}

export function createBinHandlerLookup({
  store,
  bin,
  library,
  clock,
  log,
}: BinHandlersContext): (entity: DeletableEntity) => BinHandler {
  const pictures: BinHandler = {
    restore: ({ item }, transaction) =>
      library.restoreFromBin(item as Item<"uploads">, transaction),
    afterRestore: ({ item }) => library.makeServable(item as Item<"uploads">),
    async prepareRemoval({ item }) {
      // Removes the files before the item: if the process is killed in between, the item is deleted later.
      await library.removeFiles(item as Item<"uploads">);
      return doNothing;
    },
    createDescriber: async () => {
      const findUses = await createPictureUseLookup(store);
      return ({ item }) => ({ usedIn: findUses(item["url"] as string) });
    },
  };
  const content: BinHandler = {
    restore: ({ entity, item }, transaction) =>
      restoreItem(transaction, entity as Collection, item),
    findOwnerList: ({ entity, item }) =>
      createOwnerListWith(entity as Collection, store.of(entity as Collection).read().value, item),
    prepareRemoval: (binItem) => prepareDescendantRemoval({ store, bin, log }, binItem),
    createDescriber:
      async () =>
      async ({ entity, item }) => ({
        contains: await countDescendants(store, entity, new Set([item.id])),
      }),
  };
  const testimonials: BinHandler = {
    ...content,
    prepareRemoval:
      async ({ item }) =>
      (transaction) =>
        removeTestimonialLink(transaction, item),
  };
  const records: BinHandler = {
    restore: ({ entity, item }, transaction) =>
      restoreRecord(transaction, entity as AnyRecords, item),
    prepareRemoval: async () => doNothing,
  };
  const submissions: BinHandler = {
    ...records,
    // A restored closed submission counts as closed now. With its earlier closing time, it could be deleted at once.
    restore: ({ entity, item }, transaction) => {
      const closingTime = item["stage"] === "closed" && { closedAt: getTimestamp(clock) };
      return restoreRecord(transaction, entity as AnyRecords, { ...item, ...closingTime });
    },
  };
  return (entity) => {
    if (entity === entities.formSubmissions) return submissions;
    if (entity === entities.uploads) return pictures;
    if (entity === entities.testimonials) return testimonials;
    return entity.shape === "records" ? records : content;
  };
}

const doNothing = async () => {};
