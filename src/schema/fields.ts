/** The kinds of field an entity is made of. */
export {
  type Choice,
  EMPTY,
  type Field,
  type Fields,
  type InputKind,
  type ValueOf,
} from "./field.ts";
export * from "./addressFields.ts";
export * from "./serverFields.ts";
export * from "./textFields.ts";
export * from "./valueFields.ts";
