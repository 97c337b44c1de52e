/** The shapes an entity can have: one value, a list the owner arranges, or records without end. */
import { type Fields, id, MAX_ORDER, type ValueOf } from "./fields.ts";
import type { OwnMessages } from "./messages.ts";
import { nameOf } from "./names.ts";
import type { Permission } from "./roles.ts";
import type { SectionTab } from "./sectionTab.ts";
import type { ShownWindow } from "./window.ts";

/** Stepwise changes of stored values, by the version they start from. */
export type Migrations = Readonly<Record<number, (value: unknown) => unknown>>;

interface EntityBase<F extends Fields> {
  /** What it is exported and registered as: `pressFeatures`. */
  readonly key: string;
  /** Made from the key: `press-features`, in the data file and in `/api/{name}`. */
  readonly name: string;
  /** What people call it, in the singular for lists. */
  readonly label: string;
  /** What people call several; by default the label and an s. */
  readonly plural: string;
  /** The part of the site it belongs to: a picture is shown as used "In {section}". */
  readonly section: string;
  /**
   * Of what is stored, raised only for what can't be read otherwise: a field that is added has its initial value until
   * it is stored, and a release that doesn't know it leaves it as it is.
   */
  readonly version: number;
  readonly fields: F;
  readonly migrations?: Migrations;
  /** Who may read it over HTTP; "none" has no routes of its own. */
  readonly readers: "everyone" | "owner" | "none";
  /** The extra it is part of: visitors see it only while that is switched on (extra.ts). */
  readonly extra?: string;
  /** The fields that say from when until when visitors see it (window.ts). */
  readonly window?: ShownWindow;
  /**
   * The moments at which something of an item changes by itself besides that window, in milliseconds since 1970, in
   * the site's time zone. Asked by the server alone.
   */
  edges?(item: ValueOf<F>, zone: string): readonly number[];
  /** How its section is edited in the dashboard. */
  readonly tab?: SectionTab;
  /** What it takes to change it; of records, to read and mark them. Others see it as `readers` says. */
  readonly permission: Permission;
  /** The sentence for a missing required field (specification, section 5.1), instead of the field's own. */
  readonly incomplete?: string;
  /**
   * What one field refuses because of another, such as an end before its start: the words by field, none where
   * all is right. Asked of whole items only (`checkWhole`), after each field's own check; `before` is what is
   * stored, where the server asks of a change.
   */
  rules?(item: ValueOf<F>, before?: ValueOf<F>): Readonly<Record<string, string>>;
  /** What people read after a write, where it is not made from the label (see `messagesFor`). */
  readonly messages?: OwnMessages;
  /** How long a browser takes what it has read for fresh, in milliseconds; by default for good. */
  readonly freshFor?: number;
  /** Stays as it is when a whole backup is brought back in the dashboard: who may log in, what was sent. */
  readonly staysOnRestore?: boolean;
  /** Earlier revisions are kept: true for the owner's content. */
  readonly history: boolean;
}

/** One value, such as the hero: GET and POST `/api/{name}`. */
export interface Singleton<F extends Fields = Fields> extends EntityBase<F> {
  readonly shape: "singleton";
  /** It holds the three colors of a section, and which of a look's sets these are (looks.ts). */
  readonly colors?: ColorRole;
}

/** A look has strong colors for sections of pictures and of names, and calm ones for what is read. */
export type ColorRole = "posters" | "calm";

/** How a list is arranged: which field holds the place, and what a reorder request carries. */
interface Arrangement {
  readonly field: string;
  /** The place of the first item. */
  readonly first: 0 | 1;
  /** The body's key: `updates` of {id, order}, or a list of ids. */
  readonly request: "updates" | "stepIds" | "fieldIds";
}

/** The list that an item belongs to, by its key: deleting the parent takes the items along. */
interface Parent {
  readonly entity: string;
  readonly field: string;
}

/** A list of items: GET, POST `/api/{name}`, PUT, DELETE `/api/{name}/{id}`, POST `…/reorder`. */
export interface Collection<F extends Fields = Fields> extends EntityBase<F> {
  readonly shape: "collection";
  readonly arrangement?: Arrangement;
  /** The field of text that the list is read by, where its owner doesn't arrange it. */
  readonly sortedBy?: string;
  readonly parent?: Parent;
  /** The key of the singleton that holds its heading and colors: edited in the same tab. */
  readonly settings?: string;
  /** Visitors see only items in which this field is true. */
  readonly activeField?: string;
  readonly limit: number;
  /** Whether an item counts for the limit; default: each does. */
  counts?(item: ValueOf<F>): boolean;
  /** Whether an item goes where the list is full and another one comes; `now` is ISO 8601, UTC. */
  givesWay?(item: ValueOf<F>, now: string): boolean;
}

/** Records that grow without end, kept in segments; `K` are the names in `keys`. */
export interface RecordsEntity<
  F extends Fields = Fields,
  K extends keyof F & string = keyof F & string,
> extends EntityBase<F> {
  readonly shape: "records";
  readonly parent?: Parent;
  /** The fields kept in memory for filtering. */
  readonly keys: readonly K[];
  /** Those of them that few records have: which records do is known without looking at the others. */
  readonly rare?: readonly K[];
  /** The moment from which a record's personal traces are kept for the retention days; one of `keys`. */
  readonly collectedAt?: K;
  /** The field that may occur once. */
  readonly unique?: keyof F & string;
  /** Written also on a full disk, from the reserve: what a deletion takes. */
  readonly needed?: boolean;
  /** What calls return of a record, where that is not what is stored. */
  readonly shown?: (record: ValueOf<F>) => object;
}

/** How many items of a list count for its limit. */
export const countOf = (list: Collection, items: readonly StoredItem[]): number =>
  list.counts ? items.filter((item) => list.counts?.(item)).length : items.length;

/** A record as calls return it. */
export function shownOf(entity: AnyRecords, record: StoredItem): StoredItem {
  return (entity.shown?.(record) as StoredItem | undefined) ?? record;
}

/** Whether its items say whom they are about. */
export const namesPeople = ({ fields }: Entity): boolean =>
  Object.values(fields as Fields).some(({ personal }) => personal === "named");

/** What finds all texts in an item of an entity that name the person it is about. */
export function namesIn({ fields }: Entity): (record: StoredItem) => string[] {
  const named = Object.entries(fields as Fields).filter(([, { personal }]) => personal === "named");
  return (record) =>
    named.flatMap(([name, field]) => field.texts?.(record[name]) ?? textsIn(record[name]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" ? [value] : [];
}

/** Any declared entity of records. */
export type AnyRecords = RecordsEntity<any>;

export type Entity = Singleton<any> | Collection<any> | AnyRecords;

/** A stored item of a list that is known by its shape alone. */
export type StoredItem = { id: string } & Record<string, unknown>;

/** The stored form of one item of an entity; its fields are unknown where the entity is. */
export type ItemOf<E extends Entity> = string extends keyof E["fields"]
  ? E["shape"] extends "singleton"
    ? Record<string, unknown>
    : StoredItem
  : ValueOf<E["fields"]>;

type WithId<F extends Fields> = F & { id: ReturnType<typeof id> };

type Settings<E, F extends Fields> = Partial<
  Omit<E, "shape" | "key" | "name" | "label" | "fields">
> & { fields: F };

/** What follows from the key and the label where a declaration says nothing else. */
const named = (key: string, label: string, plural = `${label}s`) => ({
  key,
  name: nameOf(key),
  label,
  plural,
  version: 1,
});

/** Declares one value of which there is exactly one. */
export function singleton<F extends Fields>(
  key: string,
  label: string,
  settings: Settings<Singleton<F>, F>,
): Singleton<F> {
  return {
    shape: "singleton",
    ...named(key, label),
    section: label,
    readers: "everyone",
    permission: "content",
    history: true,
    ...settings,
  };
}

/** Declares a list of items; each gets an id of the server's. */
export function collection<F extends Fields>(
  key: string,
  label: string,
  settings: Settings<Collection<F>, F>,
): Collection<WithId<F>> {
  const { fields, ...rest } = settings;
  return {
    shape: "collection",
    ...named(key, label, rest.plural),
    section: rest.plural ?? `${label}s`,
    readers: "everyone",
    permission: "content",
    history: true,
    limit: 500,
    ...rest,
    fields: { id: id(), ...fields },
  };
}

/** The arrangement of all lists but form steps and fields: zero-based `order` (specification, section 9.4). */
export const BY_ORDER: Arrangement = { field: "order", first: 0, request: "updates" };

/**
 * The place of a new item behind a list in its order (specification, section 4.11): the number of items, or more,
 * since a deletion leaves its place free for what is put back.
 */
export function placeAfterLast({ field, first }: Arrangement, list: readonly object[]): number {
  const last = (list.at(-1) as Readonly<Record<string, number>> | undefined)?.[field] ?? first - 1;
  return Math.max(list.length + first, Math.min(last + 1, MAX_ORDER));
}

/** Declares records without end, the owner's alone; each gets an id of the server's. */
export function records<F extends Fields, const K extends (keyof F & string) | "id">(
  key: string,
  label: string,
  settings: Settings<RecordsEntity<WithId<F>, K>, F> & { readonly keys: readonly K[] },
): RecordsEntity<WithId<F>, K> {
  const { fields, ...rest } = settings;
  return {
    shape: "records",
    ...named(key, label, rest.plural),
    section: rest.plural ?? `${label}s`,
    readers: "owner",
    permission: "site",
    history: false,
    ...rest,
    fields: { id: id(), ...fields },
  };
}
