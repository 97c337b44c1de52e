/**
 * The kinds of field, and the functions that declare fields of each kind. The dashboard compiles only if
 * web/admin/editor/FieldInput.tsx has an input for each kind that needs one.
 */
export * from "./addressKinds.ts";
export * from "./internalKinds.ts";
export * from "./kind.ts";
export * from "./textKinds.ts";
export * from "./timeKinds.ts";
export * from "./valueKinds.ts";
