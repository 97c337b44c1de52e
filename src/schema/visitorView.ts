/** What visitors see of an entity: only what is active, without the owner's own fields. */
import { initialValues } from "./check.ts";
import type { Entity } from "./entity.ts";
import { isAdded } from "./extras.ts";
import type { Fields } from "./fields.ts";

/** The visitor's view of a stored value: an object, or a list; of an extra that isn't `on`, that of an empty site. */
export function visitorView<T>(entity: Entity, value: T, on: readonly string[]): T {
  if (!isAdded(entity, on))
    return (Array.isArray(value) ? [] : visitorFields(entity, initialValues(entity.fields))) as T;
  if (!Array.isArray(value)) return visitorFields(entity, value);
  const active = entity.shape === "collection" ? entity.activeField : undefined;
  const shown = active === undefined ? value : value.filter((item) => item[active] === true);
  return shown.map((item) => visitorFields(entity, item)) as T;
}

/** Neither the owner's own fields nor those of a later release, which may be the owner's own as well. */
function visitorFields<T>({ fields }: Entity, item: T): T {
  const shown = Object.entries(item as object).filter(
    ([name]) => Object.hasOwn(fields, name) && (fields as Fields)[name]?.audience !== "owner",
  );
  return Object.fromEntries(shown) as T;
}

/** A list in its arrangement's order, then by creation (ids are UUIDv7, so they sort by time). */
export function arranged<T>(entity: Entity, items: readonly T[]): T[] {
  const field = entity.shape === "collection" ? entity.arrangement?.field : undefined;
  const place = (item: any): number => (field === undefined ? 0 : item[field]);
  return [...items].sort((a: any, b: any) => place(a) - place(b) || (a.id < b.id ? -1 : 1));
}
