/** How what is in the bin comes back and goes for good: it belongs to several capabilities, so it stands beside `app.ts`, which alone uses it. */
import { type AnyRecords, type Collection, entities, type Item } from "../schema/index.ts";
import { countBelonging, removeBelonging } from "./content/belonging.ts";
import type { Deletable } from "./content/bin.ts";
import { listWith, putBackItem } from "./content/writes.ts";
import type { Log } from "./shared/log.ts";
import type { Bin, Listed } from "./storage/bin.ts";
import type { Store } from "./storage/store.ts";
import { pictureUse } from "./uploads/pictureUse.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";
import { putBackRecord } from "./visitors/records.ts";

interface DeletablesContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly library: UploadLibrary;
  readonly log: Log;
}

/** How what is in the bin comes back and goes for good, by the entity it is of. */
export function deletables({
  store,
  bin,
  library,
  log,
}: DeletablesContext): (entity: Listed) => Deletable {
  const pictures: Deletable = {
    putBack: ({ item }) => library.putBack(item as Item<"uploads">),
    remove: ({ item }) => library.removeFiles(item as Item<"uploads">),
    about: async () => {
      const usedIn = await pictureUse(store);
      return ({ item }) => ({ usedIn: usedIn(item["url"] as string) });
    },
  };
  const content: Deletable = {
    putBack: ({ entity, item }) => putBackItem({ store, bin }, entity as Collection, item),
    listWith: ({ entity, item }) =>
      listWith(entity as Collection, store.of(entity as Collection).read().value, item),
    remove: (binned, letGo) => removeBelonging({ store, bin, letGo, log }, binned),
    about: async () => {
      return ({ entity, item }) => ({
        contains: countBelonging(store, entity, new Set([item.id])),
      });
    },
  };
  const records: Deletable = {
    putBack: ({ entity, item }) => putBackRecord({ store, bin }, entity as AnyRecords, item),
    remove: async () => {},
  };
  return (entity) => {
    if (entity === entities.uploads) return pictures;
    return entity.shape === "records" ? records : content;
  };
}
