/** The registry of all entities, and the types derived from it. */
import type { AnyRecords, Collection, Entity, Singleton } from "./entities/entity.ts";
import { invitations, loginRules, sessions, users } from "./people/accounts.ts";
import { auditLog } from "./people/audit.ts";
import { bin } from "./people/bin.ts";
import { callsCalendar } from "./enquiry/calls.ts";
import { EXTRA_MODULES, type ExtraKey, extras } from "./sections/extras.ts";
import type { ValueOf } from "./kinds/fields.ts";
import * as formEntities from "./enquiry/forms.ts";
import * as sections from "./sections/sections.ts";
import { letterProgress, letterRecipients, letters, letterSettings } from "./people/letters.ts";
import { mailSettings, outbox, pushDevices } from "./people/mail.ts";
import { sharing, site, welcome } from "./site.ts";
import { styles } from "./sections/styles.ts";
import {
  backupSettings,
  erasedEnquiries,
  lastSeenErasure,
  erasures,
  siteTime,
} from "./people/siteMaintenance.ts";
import { uploads } from "./pictures/uploads.ts";
import { emailSubscriptions, formSubmissions } from "./enquiry/visitors.ts";

const { forms, formSteps, formFields } = formEntities;

/** Every entity by its key, such as `pressFeatures`. */
export const entities = {
  site,
  styles,
  sharing,
  welcome,
  extras,
  ...listExtraEntities(),
  ...sections,
  forms,
  formSteps,
  formFields,
  formSubmissions,
  emailSubscriptions,
  uploads,
  // The entities below contain data of accounts, mail and maintenance, but no content of the site.
  users,
  sessions,
  invitations,
  loginRules,
  bin,
  auditLog,
  mailSettings,
  outbox,
  pushDevices,
  callsCalendar,
  letterSettings,
  letters,
  letterProgress,
  letterRecipients,
  siteTime,
  backupSettings,
  erasures,
  erasedEnquiries,
  erasureMark: lastSeenErasure,
};

/** Converts a union of types to their intersection. */
type UnionToIntersection<T> = (T extends unknown ? (each: T) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type ExtraEntities = Omit<UnionToIntersection<(typeof EXTRA_MODULES)[ExtraKey]>, "extra">;

/** Returns the entities of all extras. The module of an extra exports its entities beside `extra`. */
function listExtraEntities(): ExtraEntities {
  const { extra: _, ...extraEntities } = Object.assign({}, ...Object.values(EXTRA_MODULES));
  return extraEntities;
}

type DeclaredEntities = typeof entities;

/** The keys of entities that are stored as documents: all except records. */
export type DocumentKey = {
  [K in keyof DeclaredEntities]: DeclaredEntities[K] extends { shape: "records" } ? never : K;
}[keyof DeclaredEntities];

/** An entity's stored value: an object, or a list of items. */
export type Content<K extends keyof DeclaredEntities> = DeclaredEntities[K] extends {
  shape: "collection";
}
  ? Item<K>[]
  : Item<K>;

/** One item of a list, or the value of a singleton. */
export type Item<K extends keyof DeclaredEntities> = ValueOf<DeclaredEntities[K]["fields"]>;

export type SingletonKey = {
  [K in keyof DeclaredEntities]: DeclaredEntities[K] extends { shape: "singleton" } ? K : never;
}[keyof DeclaredEntities];

export type EntityKey = keyof DeclaredEntities;

export const allEntities: readonly Entity[] = Object.values(entities);

/** The entities that visitors can read. Records are never among them. */
export const publicEntities = allEntities.filter(
  (entity): entity is Singleton | Collection =>
    entity.shape !== "records" && entity.readers === "everyone",
);

/** Returns the entity whose routes begin with `/api/{name}`. */
export function findEntityByName(name: string): Entity | undefined {
  return allEntities.find((entity) => entity.name === name);
}

export function findEntityByKey(key: string): Entity | undefined {
  return allEntities.find((entity) => entity.key === key);
}

/** Returns the list with the parents of an entity's items; undefined if items have no parents. */
export function findParentList(entity: Entity): Collection | undefined {
  const parent = entity.shape === "singleton" ? undefined : entity.parent;
  const list = parent && findEntityByKey(parent.entity);
  return list?.shape === "collection" ? list : undefined;
}

export type { AnyRecords, Collection, Entity, Singleton };
