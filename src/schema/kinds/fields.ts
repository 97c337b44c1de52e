/**
 * The kinds of fields, and the functions that declare fields of each kind. The dashboard compiles only if it has an
 * input for each kind exported here (web/admin/editor/FieldInput.tsx).
 */
export * from "./addressKinds.ts";
export * from "./internalKinds.ts";
export * from "./kind.ts";
export * from "./textKinds.ts";
export * from "./timeKinds.ts";
export * from "./valueKinds.ts";
