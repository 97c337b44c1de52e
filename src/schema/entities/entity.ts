/** The shapes of an entity: one value, a list that the owner arranges, or unlimited records. */
import { type Fields, id, MAX_ORDER, type ValueOf } from "../kinds/fields.ts";
import type { CustomMessages } from "./messages.ts";
import type { Permission } from "../core/roles.ts";
import type { SectionTab } from "./sectionTab.ts";

/** Step-by-step migrations of stored values, by the version they start from. */
export type Migrations = Readonly<Record<number, (value: unknown) => unknown>>;

interface EntityBase<F extends Fields> {
  /** The name under which the entity is exported and registered, such as `pressFeatures`. */
  readonly key: string;
  /** The name of the data file and of `/api/{name}`, derived from the key: `press-features`. */
  readonly name: string;
  /** The name for people, in the singular for lists. */
  readonly label: string;
  /** The plural of the label; default: the label and an s. */
  readonly plural: string;
  /** The section of the entity. The dashboard shows a picture of the entity as used "In {section}". */
  readonly section: string;
  /**
   * The version of the stored value's format, raised only if older values can't be read otherwise. An added field
   * doesn't raise it: the field has its initial value until it is stored, and older releases retain unknown fields.
   */
  readonly version: number;
  readonly fields: F;
  readonly migrations?: Migrations;
  /** The roles that may read the entity over HTTP; "none": no routes are generated. */
  readonly readers: "everyone" | "owner" | "none";
  /** The extra that the entity is part of: visitors see it only while the extra is on (extra.ts). */
  readonly extra?: string;
  /**
   * Returns the times, in milliseconds since 1970, when an item changes automatically, apart from its display period.
   * `zone` is the site's time zone. Used only by the server.
   */
  findChangeTimes?(item: ValueOf<F>, zone: string): readonly number[];
  /** The editor of the entity's section in the dashboard. */
  readonly tab?: SectionTab;
  /** The permission to change the entity; for records, to read and mark them. Other reads follow `readers`. */
  readonly permission: Permission;
  /** The message for a missing required field (specification, section 5.1), instead of the field's own. */
  readonly missingFieldMessage?: string;
  /**
   * Checks rules across fields, such as that an end is after its start. Returns messages by field. Applied only to
   * whole items (`checkItem`), after the check of each field. `before` is the stored item if the server checks a
   * change.
   */
  checkItemRules?(item: ValueOf<F>, before?: ValueOf<F>): Readonly<Record<string, string>>;
  /** Normalizes a client's values where one field depends on another, before the fields are checked. */
  normalizeInput?(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Messages after a write, if they aren't derived from the label (see `getWriteMessages`). */
  readonly messages?: CustomMessages;
  /** How long browsers may cache the entity, in milliseconds; default: it doesn't expire. */
  readonly maxAgeMs?: number;
  /** True for data that restoring a whole backup in the dashboard doesn't replace: users, sent mail. */
  readonly isRetainedOnRestore?: boolean;
  /** Whether earlier revisions are kept: true for the owner's content. */
  readonly hasHistory: boolean;
}

/** One value, such as the hero: GET and POST `/api/{name}`. */
export interface Singleton<F extends Fields = Fields> extends EntityBase<F> {
  readonly shape: "singleton";
  /** For settings with a section's three colors: the color set of a look from which they come (looks.ts). */
  readonly colorSet?: ColorSetName;
}

/** A look's color sets: strong colors for sections with pictures or names, and calm colors for text. */
export type ColorSetName = "posters" | "calm";

/** The order of a list: the field with the position, and the form of a reorder request. */
interface Arrangement {
  readonly field: string;
  /** The position of the first item. */
  readonly firstPosition: 0 | 1;
  /** The body's key: `updates` with {id, order}, or a list of ids. */
  readonly bodyKey: "updates" | "stepIds" | "fieldIds";
}

/** The list of an item's parent, by key. Deleting the parent deletes its items too. */
interface Parent {
  readonly entity: string;
  readonly field: string;
}

/** A list of items: GET, POST `/api/{name}`, PUT, DELETE `/api/{name}/{id}`, POST `…/reorder`. */
export interface Collection<F extends Fields = Fields> extends EntityBase<F> {
  readonly shape: "collection";
  readonly arrangement?: Arrangement;
  /** The text field that the list is sorted by, if the owner doesn't arrange it. */
  readonly sortField?: string;
  readonly parent?: Parent;
  /** The key of the singleton with the list's heading and colors, which is edited in the same tab. */
  readonly settingsKey?: string;
  /** Fields that only a new item sends. */
  readonly setOnceFields?: readonly string[];
  /** Visitors see only items with this field set. */
  readonly activeField?: string;
  readonly maxItems: number;
  /** Whether an item counts toward the limit; default: all do. */
  countsTowardLimit?(item: ValueOf<F>): boolean;
  /** Whether an item may be replaced when the list is full; `now` is ISO 8601, UTC. */
  isReplaceable?(item: ValueOf<F>, now: string): boolean;
}

/** Unlimited records, stored in segments; `K` are the names in `keys`. */
export interface RecordsEntity<
  F extends Fields = Fields,
  K extends keyof F & string = keyof F & string,
> extends EntityBase<F> {
  readonly shape: "records";
  readonly parent?: Parent;
  /** The fields held in memory, for filtering. */
  readonly keys: readonly K[];
  /** Keys that few records have. They are indexed, so finding these records reads no others. */
  readonly sparseKeys?: readonly K[];
  /** The field with the time when the retention period of personal traces begins; one of `keys`. */
  readonly collectedAtField?: K;
  readonly uniqueField?: keyof F & string;
  /** True if records are written even on a full disk, into reserved space, since deletions need them. */
  readonly isNeededOnFullDisk?: boolean;
  /** Returns a record in the form that routes return. Missing if that is the stored form. */
  readonly toResponse?: (record: ValueOf<F>) => object;
}

/** Counts the items that count toward a list's limit. */
export const countLimitedItems = (list: Collection, items: readonly StoredItem[]): number =>
  list.countsTowardLimit
    ? items.filter((item) => list.countsTowardLimit?.(item)).length
    : items.length;

/** A record as routes return it. */
export function toRecordResponse(entity: AnyRecords, record: StoredItem): StoredItem {
  return (entity.toResponse?.(record) as StoredItem | undefined) ?? record;
}

export const getEntityFields = ({ fields }: Entity): Fields => fields;

export const getParentId = (
  { field }: Pick<Parent, "field">,
  item: Readonly<Record<string, unknown>>,
): string => String(item[field]);

/** Whether an entity's items name people. */
export const hasPersonalData = (entity: Entity): boolean =>
  Object.values(getEntityFields(entity)).some(({ personal }) => personal === "named");

/** Returns a function that finds all texts in an item that name the item's person. */
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

/** A stored item of an unspecified list. */
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

/** The name of the data file and the routes: `pressFeatures` is press-features.json and `/api/press-features`. */
export const toEntityName = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Defaults derived from the key and the label. */
const deriveDefaults = (key: string, label: string, plural = `${label}s`) => ({
  key,
  name: toEntityName(key),
  label,
  plural,
  section: plural,
  version: 1,
});

/** The settings of data without routes of its own: users, sent mail. */
export const INTERNAL_SETTINGS = {
  readers: "none",
  permission: "site",
  hasHistory: false,
  isRetainedOnRestore: true,
} as const;

/** Declares a single value. */
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

/** The arrangement of all lists except form steps and fields: `order` from 0 (specification, section 9.4). */
export const DEFAULT_ARRANGEMENT: Arrangement = {
  field: "order",
  firstPosition: 0,
  bodyKey: "updates",
};

/**
 * The position of a new item at the end of a sorted list (specification, section 4.11): at least the number of items,
 * since deleted items retain their position for a restore.
 */
export function computePositionAfterLast(
  { field, firstPosition }: Arrangement,
  list: readonly object[],
): number {
  const last =
    (list.at(-1) as Readonly<Record<string, number>> | undefined)?.[field] ?? firstPosition - 1;
  return Math.max(list.length + firstPosition, Math.min(last + 1, MAX_ORDER));
}

/** Declares unlimited records, visible to owners only; the server assigns their ids. */
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
