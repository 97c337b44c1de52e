/** The visitors' view of entities: only active items shown now, without owner-only fields. */
import { getInitialValues } from "./check.ts";
import type { Collection, Entity, StoredItem } from "./entity.ts";
import { isExtraEnabled } from "./extra.ts";
import type { Fields } from "../kinds/fields.ts";
import { isShown, type ViewTime } from "./visibility.ts";

export interface VisibilityContext extends ViewTime {
  /** The keys of the extras that are on. */
  readonly enabledExtras: readonly string[];
}

/** Returns the visitors' view of a stored object or list; initial values or an empty list if its extra is off. */
export function createVisitorView<T>(entity: Entity, value: T, context: VisibilityContext): T {
  const visible = selectVisible(entity, value, context);
  const fieldNames = getVisitorFieldNames(entity);
  if (Array.isArray(visible)) return visible.map((item) => pickFields(fieldNames, item)) as T;
  return pickFields(fieldNames, (visible ?? getInitialValues(entity.fields)) as object) as T;
}

/** Returns the visible items of a stored list, or a visible singleton, with all fields; undefined if it is hidden. */
export function selectVisible<T>(
  entity: Entity,
  value: T,
  context: VisibilityContext,
): T | undefined {
  const isEnabled = isExtraEnabled(entity, context.enabledExtras);
  if (!Array.isArray(value))
    return isEnabled && isShown(entity, value as object, context) ? value : undefined;
  const activeField = entity.shape === "collection" ? entity.activeField : undefined;
  const isVisible = (item: StoredItem) =>
    (activeField === undefined || item[activeField] === true) && isShown(entity, item, context);
  return (isEnabled ? value.filter(isVisible) : []) as T;
}

/** Returns the names of the fields that visitors see, without owner-only fields and fields of later releases. */
function getVisitorFieldNames({ fields }: Entity): ReadonlySet<string> {
  const visitorFields = Object.entries(fields as Fields).filter(
    ([, { audience }]) => audience !== "owner",
  );
  return new Set(visitorFields.map(([name]) => name));
}

/** Returns an item with only these fields. Uses a plain loop, which is faster on pages with hundreds of items. */
function pickFields(fieldNames: ReadonlySet<string>, item: object): object {
  const picked: Record<string, unknown> = {};
  for (const name in item)
    if (fieldNames.has(name)) picked[name] = (item as Record<string, unknown>)[name];
  return picked;
}

/** Sorts a list by position or `sortField`, then by id. Ids are UUIDv7, so they are in the order of creation. */
export function sortItems<T>({ arrangement, sortField }: Collection, items: readonly T[]): T[] {
  const field = arrangement?.field ?? sortField;
  const sortKey = (item: any): number | string => (field === undefined ? 0 : item[field]);
  return [...items].sort((a: any, b: any) => {
    const [one, other] = [sortKey(a), sortKey(b)];
    if (one !== other) return one < other ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
}
