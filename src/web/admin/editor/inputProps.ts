/** A form's overrides for a field, and the props of all controls. */
import type { Choice, Field } from "../../../schema/kinds/fields.ts";
import type { Control } from "../../ui/Field.tsx";

/** Overrides of a field's declaration. */
export interface FieldOverrides {
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The texts of a picture picker without pictures: what is missing, and what to do. */
  readonly empty?: readonly [string, string];
  /** The label of the picture picker's tile for no picture, such as "No Background". */
  readonly noneLabel?: string;
  /** The color shown if none is set. */
  readonly fallback?: string;
  /** The color that must contrast with this one. Default: the form's background color. */
  readonly contrastWith?: ContrastReference;
  /** True: the picture picker is folded until it is opened. */
  readonly isFolded?: boolean;
  readonly rows?: number;
  /** True: the field has the focus when a dialog opens. */
  readonly isFocused?: boolean;
  /** True: only a date, without a time of day. */
  readonly isDayOnly?: boolean;
  /** The options, if the declaration has none. */
  readonly choices?: readonly Choice[];
}

/** A color, and the message if another doesn't contrast with it. */
export interface ContrastReference {
  readonly color: string;
  readonly message: string;
}

/** Props of the input of a declared field. */
export interface InputProps extends Omit<FieldOverrides, "label" | "hint"> {
  readonly control: Control;
  readonly label: string;
  readonly declaration: Field;
  /** All values of the draft, for checks of a color against another. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly onChange: (value: unknown) => void;
  readonly onLeave?: () => void;
}
