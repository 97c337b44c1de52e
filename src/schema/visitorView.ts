/** What visitors see of an entity: only what is active and shown now, without the owner's own fields. */
import { initialValues } from "./check.ts";
import type { Collection, Entity, StoredItem } from "./entity.ts";
import { isAdded } from "./extra.ts";
import type { Fields } from "./fields.ts";
import { isShown, type Moment } from "./shownAt.ts";

/** When and of what site something is seen. */
export interface Sight extends Moment {
  /** The extras that are on. */
  readonly on: readonly string[];
}

/**
 * The visitor's view of a stored value: an object, or a list, as far as it is shown at that moment; of an extra that
 * isn't on, that of an empty site.
 */
export function visitorView<T>(entity: Entity, value: T, sight: Sight): T {
  const shown = shownNow(entity, value, sight);
  if (Array.isArray(shown)) return shown.map((item) => visitorFields(entity, item)) as T;
  return visitorFields(entity, (shown ?? initialValues(entity.fields)) as T);
}

/** What of a stored value is shown, with all its fields; of a single value that isn't, undefined. */
export function shownNow<T>(entity: Entity, value: T, sight: Sight): T | undefined {
  const isAll = isAdded(entity, sight.on);
  if (!Array.isArray(value))
    return isAll && isShown(entity, value as object, sight) ? value : undefined;
  const active = entity.shape === "collection" ? entity.activeField : undefined;
  const isSeen = (item: StoredItem) =>
    (active === undefined || item[active] === true) && isShown(entity, item, sight);
  return (isAll ? value.filter(isSeen) : []) as T;
}

/** Neither the owner's own fields nor those of a later release, which may be the owner's own as well. */
function visitorFields<T>({ fields }: Entity, item: T): T {
  const shown = Object.entries(item as object).filter(
    ([name]) => Object.hasOwn(fields, name) && (fields as Fields)[name]?.audience !== "owner",
  );
  return Object.fromEntries(shown) as T;
}

const NO_LIST: Partial<Collection> = {};

/** A list in its arrangement's order or by the field that it is sorted by, then by creation (ids are UUIDv7, so they sort by time). */
export function arranged<T>(entity: Entity, items: readonly T[]): T[] {
  const { arrangement, sortedBy } = entity.shape === "collection" ? entity : NO_LIST;
  const field = arrangement?.field ?? sortedBy;
  const place = (item: any): number | string => (field === undefined ? 0 : item[field]);
  return [...items].sort((a: any, b: any) => {
    const [one, other] = [place(a), place(b)];
    if (one !== other) return one < other ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
}
