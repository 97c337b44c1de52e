/** The kinds of fields: each in a file `…Kinds.ts`, and all of them here. */
import { EMAIL, IMAGE, LINK } from "./addressKinds.ts";
import { CHOICE, TOGGLE } from "./choiceKinds.ts";
import { CONDITION } from "./conditionKind.ts";
import { COLOR, LENGTH } from "./cssKinds.ts";
import { NUMBER } from "./numberKinds.ts";
import { RICH_TEXT } from "./richTextKind.ts";
import { LONG_TEXT, OPTIONS, TEXT } from "./textKinds.ts";
import { DAY, TIME_ZONE, WALL_TIME } from "./timeKinds.ts";
import { CUTS, NAMES, POINT, UNSEEN } from "./unseenKinds.ts";

/** All kinds. The dashboard doesn't compile without an input for each (web/admin/editor/FieldInput.tsx). */
export const KINDS = [
  TEXT,
  LONG_TEXT,
  RICH_TEXT,
  OPTIONS,
  IMAGE,
  LINK,
  EMAIL,
  COLOR,
  LENGTH,
  CHOICE,
  TOGGLE,
  NUMBER,
  DAY,
  WALL_TIME,
  TIME_ZONE,
  NAMES,
  POINT,
  CUTS,
  CONDITION,
  UNSEEN,
] as const;

/** The name of a kind that has an input. */
export type SeenKind = Exclude<(typeof KINDS)[number], { readonly isUnseen: true }>["name"];

export * from "./addressKinds.ts";
export * from "./choiceKinds.ts";
export * from "./conditionKind.ts";
export * from "./cssKinds.ts";
export * from "./kind.ts";
export * from "./numberKinds.ts";
export * from "./richTextKind.ts";
export * from "./textKinds.ts";
export * from "./timeKinds.ts";
export * from "./unseenKinds.ts";
