/** How the bin's items are restored and deleted for good: spans several capabilities, so it is beside `app.ts`. */
import { type AnyRecords, type Collection, entities, type Item } from "../schema/index.ts";
import { countBelonging, removeBelonging } from "./content/belonging.ts";
import type { Deletable } from "./content/bin.ts";
import { type Clock, isoTime } from "./shared/clock.ts";
import { removeItsLink } from "./content/takenBack.ts";
import { listWith, putBackItem } from "./content/writes.ts";
import type { Log } from "./shared/log.ts";
import type { Bin, Listed } from "./bin/bin.ts";
import type { Store } from "./storage/store.ts";
import { pictureUse } from "./uploads/pictureUse.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";
import { putBackRecord } from "./visitors/records.ts";

interface DeletablesContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly library: UploadLibrary;
  /** The trusted time. */
  readonly clock: Clock;
  readonly log: Log;
}

/** How items in the bin are restored and deleted for good, by entity. */
export function deletables({
  store,
  bin,
  library,
  clock,
  log,
}: DeletablesContext): (entity: Listed) => Deletable {
  const pictures: Deletable = {
    putBack: ({ item }, transaction) => library.putBack(item as Item<"uploads">, transaction),
    after: ({ item }) => library.show(item as Item<"uploads">),
    async remove({ item }) {
      // First: what a kill leaves in the bin goes again.
      await library.removeFiles(item as Item<"uploads">);
      return nothingElse;
    },
    about: async () => {
      const usedIn = await pictureUse(store);
      return ({ item }) => ({ usedIn: usedIn(item["url"] as string) });
    },
  };
  const content: Deletable = {
    putBack: ({ entity, item }, transaction) =>
      putBackItem(transaction, entity as Collection, item),
    listWith: ({ entity, item }) =>
      listWith(entity as Collection, store.of(entity as Collection).read().value, item),
    remove: (binned) => removeBelonging({ store, bin, log }, binned),
    about: async () => {
      return async ({ entity, item }) => ({
        contains: await countBelonging(store, entity, new Set([item.id])),
      });
    },
  };
  const testimonials: Deletable = {
    ...content,
    remove:
      async ({ item }) =>
      (transaction) =>
        removeItsLink(transaction, item),
  };
  const records: Deletable = {
    putBack: ({ entity, item }, transaction) =>
      putBackRecord(transaction, entity as AnyRecords, item),
    remove: async () => nothingElse,
  };
  const submissions: Deletable = {
    ...records,
    // Closed anew: a rule of its form would delete it again at once.
    putBack: ({ entity, item }, transaction) => {
      const closed = item["stage"] === "closed" && { closedAt: isoTime(clock) };
      return putBackRecord(transaction, entity as AnyRecords, { ...item, ...closed });
    },
  };
  return (entity) => {
    if (entity === entities.formSubmissions) return submissions;
    if (entity === entities.uploads) return pictures;
    if (entity === entities.testimonials) return testimonials;
    return entity.shape === "records" ? records : content;
  };
}

const nothingElse = async () => {};
