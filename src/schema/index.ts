/** The registry: every entity there is, and the types that follow from it. */
import type { AnyRecords, Collection, Entity, Singleton } from "./entity.ts";
import { extraEntities } from "./extraEntities.ts";
import type { ValueOf } from "./fields.ts";
import * as formEntities from "./forms.ts";
import * as sections from "./sections.ts";
import { serverEntities } from "./serverEntities.ts";
import { sharing } from "./sharing.ts";
import { site } from "./site.ts";
import { styles } from "./styles.ts";
import { uploads } from "./uploads.ts";
import { emailSubscriptions, formSubmissions } from "./visitors.ts";
import { welcome } from "./welcome.ts";

const { forms, formSteps, formFields } = formEntities;

const declared = {
  site,
  styles,
  sharing,
  welcome,
  ...extraEntities,
  ...sections,
  forms,
  formSteps,
  formFields,
  formSubmissions,
  emailSubscriptions,
  uploads,
  ...serverEntities,
};

type Declared = typeof declared;

/** Every entity that a document holds (a singleton or a list), by the key it is declared under. */
export type DocumentKey = {
  [K in keyof Declared]: Declared[K] extends { shape: "records" } ? never : K;
}[keyof Declared];

/** The stored value of an entity: an object, or a list of items. */
export type Content<K extends keyof Declared> = Declared[K] extends { shape: "collection" }
  ? Item<K>[]
  : Item<K>;

/** One item of a list, or the value of a singleton. */
export type Item<K extends keyof Declared> = ValueOf<Declared[K]["fields"]>;

/** The key of an entity of which there is exactly one. */
export type SingletonKey = {
  [K in keyof Declared]: Declared[K] extends { shape: "singleton" } ? K : never;
}[keyof Declared];

/** Every entity by the key it is declared under (`pressFeatures`). */
export const entities: Declared = declared;

export type EntityKey = keyof Declared;

/** Every entity as a list, in the order declared. */
export const allEntities: readonly Entity[] = Object.values(declared);

/** The entity that is found under `/api/{name}`. */
export function entityNamed(name: string): Entity | undefined {
  return allEntities.find((entity) => entity.name === name);
}

/** The entity that is declared under this key. */
export function entityWith(key: string): Entity | undefined {
  return allEntities.find((entity) => entity.key === key);
}

export type { AnyRecords, Collection, Entity, Singleton };
