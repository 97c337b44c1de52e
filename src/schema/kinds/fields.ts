/**
 * The kinds of fields, each with the functions that declare fields of it. The dashboard doesn't compile without an
 * input for each that is exported here (web/admin/editor/FieldInput.tsx).
 */
export * from "./addressKinds.ts";
export * from "./internalKinds.ts";
export * from "./kind.ts";
export * from "./textKinds.ts";
export * from "./timeKinds.ts";
export * from "./valueKinds.ts";
