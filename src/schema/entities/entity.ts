/** The shapes of an entity: one value, a list that the owner arranges, or any number of records. */
import { type Fields, id, MAX_ORDER, type ValueOf } from "../kinds/fields.ts";
import type { CustomMessages } from "./messages.ts";
import type { Permission } from "../core/roles.ts";
import type { SectionTab } from "./sectionTab.ts";

/** The migrations of stored values, by version. Each function converts a value to the next version. */
export type Migrations = Readonly<Record<number, (value: unknown) => unknown>>;

interface EntityBase<F extends Fields> {
  /** The name under which the entity is exported and registered, such as `pressFeatures`. */
  readonly key: string;
  /** The name of the data file and of `/api/{name}`, derived from the key: `press-features`. */
  readonly name: string;
  /** The displayed name; for a list, the name of one item. */
  readonly label: string;
  /** The plural of the label; default: the label and an s. */
  readonly plural: string;
  /** The name of the entity's section, for the activity log and for the places where a picture is used. */
  readonly section: string;
  /**
   * The version of the stored value's format. Raise it only if stored values can't be read otherwise, not for an added
   * field: a missing field gets its initial value, and older releases retain unknown fields.
   */
  readonly version: number;
  readonly fields: F;
  readonly migrations?: Migrations;
  /** The readers of the entity over HTTP. For "none", no routes are generated. */
  readonly readers: "everyone" | "owner" | "none";
  /** The extra to which the entity belongs (extra.ts). Visitors see the entity only while the extra is on. */
  readonly extra?: string;
  /**
   * Returns the times, in milliseconds since 1970, at which an item's appearance changes by itself, except the start
   * and end of its display period. `zone` is the site's time zone. Used only by the server.
   */
  findChangeTimes?(item: ValueOf<F>, zone: string): readonly number[];
  readonly tab?: SectionTab;
  /** The permission for changes, and for reading and marking records. `readers` determines all other reads. */
  readonly permission: Permission;
  /** The message for a missing required field (specification, section 5.1); default: the field's own message. */
  readonly missingFieldMessage?: string;
  /**
   * Checks rules across fields, such as that an end is after its start, and returns messages by field. Called by
   * `checkItem` with a whole item. `before` is the stored item if the server checks a change.
   */
  checkItemRules?(item: ValueOf<F>, before?: ValueOf<F>): Readonly<Record<string, string>>;
  /** Normalizes a client's values where one field depends on another, before the fields are checked. */
  normalizeInput?(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Messages after a write, which replace those derived from the label (`getWriteMessages`). */
  readonly messages?: CustomMessages;
  /** How long browsers may cache the entity, in milliseconds; without a limit by default. */
  readonly maxAgeMs?: number;
  /** True if restoring a whole backup in the dashboard doesn't replace the data, such as users and sent mail. */
  readonly isRetainedOnRestore?: boolean;
  readonly hasHistory: boolean;
}

/** One value, such as the hero: GET and POST `/api/{name}`. */
export interface Singleton<F extends Fields = Fields> extends EntityBase<F> {
  readonly shape: "singleton";
  /** The color set of a look (looks.ts) from which the section's three colors are taken. */
  readonly colorSet?: ColorSetName;
}

/** A look's color sets: strong colors for sections with pictures or names, and calm colors for text. */
export type ColorSetName = "posters" | "calm";

/** The arrangement of a list by its owner: the field with an item's position, and the form of a reorder request. */
interface Arrangement {
  readonly field: string;
  readonly firstPosition: 0 | 1;
  /** The key in the request's body: `updates` for a list of {id, order}, the others for a list of ids. */
  readonly bodyKey: "updates" | "stepIds" | "fieldIds";
}

/** An item's parent: the key of the parent's list, and the field with its id. Deleting a parent deletes its items. */
interface Parent {
  readonly entity: string;
  readonly field: string;
}

/** A list of items: GET, POST `/api/{name}`, PUT, DELETE `/api/{name}/{id}`, POST `…/reorder`. */
export interface Collection<F extends Fields = Fields> extends EntityBase<F> {
  readonly shape: "collection";
  readonly arrangement?: Arrangement;
  /** The text field by which the list is sorted, if the owner can't arrange it. */
  readonly sortField?: string;
  readonly parent?: Parent;
  /** The key of the singleton with the section's heading and colors, which is edited in the list's tab. */
  readonly settingsKey?: string;
  /** The fields that the dashboard sends only for a new item. */
  readonly setOnceFields?: readonly string[];
  /** The toggle that hides an item: visitors see only items for which it is true. */
  readonly activeField?: string;
  readonly maxItems: number;
  /** Whether an item counts toward `maxItems`; by default all do. */
  countsTowardLimit?(item: ValueOf<F>): boolean;
  /** Whether a new item may replace this item when the list is full. `now` is ISO 8601 in UTC. */
  isReplaceable?(item: ValueOf<F>, now: string): boolean;
}

/** An unlimited number of records, such as enquiries. `K` is the type of the names in `keys`. */
export interface RecordsEntity<
  F extends Fields = Fields,
  K extends keyof F & string = keyof F & string,
> extends EntityBase<F> {
  readonly shape: "records";
  readonly parent?: Parent;
  /** The fields that are held in memory, so that records can be filtered without reading them from disk. */
  readonly keys: readonly K[];
  /** The keys that are null in most records. An index finds the few records that have a value. */
  readonly sparseKeys?: readonly K[];
  /** The key with the time when personal traces were collected. The traces are removed after the retention period. */
  readonly collectedAtField?: K;
  readonly uniqueField?: keyof F & string;
  /** True if records are written even on a full disk, into reserved space, since deletions need them. */
  readonly isNeededOnFullDisk?: boolean;
  /** Converts a stored record to the form that routes return; default: the stored form. */
  readonly toResponse?: (record: ValueOf<F>) => object;
}

export const countLimitedItems = (list: Collection, items: readonly StoredItem[]): number =>
  list.countsTowardLimit
    ? items.filter((item) => list.countsTowardLimit?.(item)).length
    : items.length;

export function toRecordResponse(entity: AnyRecords, record: StoredItem): StoredItem {
  return (entity.toResponse?.(record) as StoredItem | undefined) ?? record;
}

export const getEntityFields = ({ fields }: Entity): Fields => fields;

export const getParentId = (
  { field }: Pick<Parent, "field">,
  item: Readonly<Record<string, unknown>>,
): string => String(item[field]);

/** Whether an entity's items contain personal data, such as names and addresses. */
export const hasPersonalData = (entity: Entity): boolean =>
  Object.values(getEntityFields(entity)).some(({ personal }) => personal === "named");

/** Returns a function that lists all texts in a record that contain personal data. */
export function createPersonTextFinder(entity: Entity): (record: StoredItem) => string[] {
  const personalFields = Object.entries(getEntityFields(entity)).filter(
    ([, { personal }]) => personal === "named",
  );
  return (record) =>
    personalFields.flatMap(
      ([name, field]) => field.listPersonTexts?.(record[name]) ?? collectTexts(record[name]),
    );
}

function collectTexts(value: unknown): string[] {
  if (typeof value === "object" && value !== null)
    return Object.values(value).flatMap(collectTexts);
  return typeof value === "string" ? [value] : [];
}

export type AnyRecords = RecordsEntity<any>;

export type Entity = Singleton<any> | Collection<any> | AnyRecords;

export type StoredItem = { id: string } & Record<string, unknown>;

/** The stored item of an entity; its fields are unknown if the entity's are. */
export type ItemOf<E extends Entity> = string extends keyof E["fields"]
  ? E["shape"] extends "singleton"
    ? Record<string, unknown>
    : StoredItem
  : ValueOf<E["fields"]>;

type WithId<F extends Fields> = F & { id: ReturnType<typeof id> };

type Settings<E, F extends Fields> = Partial<
  Omit<E, "shape" | "key" | "name" | "label" | "fields">
> & { fields: F };

/** Returns the name for the data file and the routes, such as `press-features` for `pressFeatures`. */
export const toEntityName = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const deriveDefaults = (key: string, label: string, plural = `${label}s`) => ({
  key,
  name: toEntityName(key),
  label,
  plural,
  section: plural,
  version: 1,
});

/** Settings for internal data, such as users and sent mail: no generated routes, and unchanged by a restore. */
export const INTERNAL_SETTINGS = {
  readers: "none",
  permission: "site",
  hasHistory: false,
  isRetainedOnRestore: true,
} as const;

export function singleton<F extends Fields>(
  key: string,
  label: string,
  settings: Settings<Singleton<F>, F>,
): Singleton<F> {
  return {
    shape: "singleton",
    ...deriveDefaults(key, label),
    section: label,
    readers: "everyone",
    permission: "content",
    hasHistory: true,
    ...settings,
  };
}

/** Declares a list of items; the server assigns their ids. */
export function collection<F extends Fields>(
  key: string,
  label: string,
  settings: Settings<Collection<F>, F>,
): Collection<WithId<F>> {
  const { fields, ...rest } = settings;
  return {
    shape: "collection",
    ...deriveDefaults(key, label, rest.plural),
    readers: "everyone",
    permission: "content",
    hasHistory: true,
    maxItems: 500,
    ...rest,
    fields: { id: id(), ...fields },
  };
}

/** The arrangement of all lists except form steps and fields (specification, section 9.4). */
export const DEFAULT_ARRANGEMENT: Arrangement = {
  field: "order",
  firstPosition: 0,
  bodyKey: "updates",
};

/**
 * Returns the position of a new item at the end of a sorted list (specification, section 4.11). It is at least the
 * number of items, since a restored item may have the same position as another one.
 */
export function computePositionAfterLast(
  { field, firstPosition }: Arrangement,
  list: readonly object[],
): number {
  const last =
    (list.at(-1) as Readonly<Record<string, number>> | undefined)?.[field] ?? firstPosition - 1;
  return Math.max(list.length + firstPosition, Math.min(last + 1, MAX_ORDER));
}

/** Declares records: any number of items that only owners see. The server assigns their ids. */
export function records<F extends Fields, const K extends (keyof F & string) | "id">(
  key: string,
  label: string,
  settings: Settings<RecordsEntity<WithId<F>, K>, F> & { readonly keys: readonly K[] },
): RecordsEntity<WithId<F>, K> {
  const { fields, ...rest } = settings;
  return {
    shape: "records",
    ...deriveDefaults(key, label, rest.plural),
    readers: "owner",
    permission: "site",
    hasHistory: false,
    ...rest,
    fields: { id: id(), ...fields },
  };
}
