/** A form's overrides for a field, and the props of all controls. */
import type { Choice, Field } from "../../../schema/kinds/fields.ts";
import type { Control } from "../../ui/Field.tsx";

/** Overrides of a field's declaration. */
export interface FieldOverrides {
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The empty state of a picture picker: what is missing, and what to do. */
  readonly empty?: readonly [string, string];
  /** The picture picker's tile for none, such as "No Background". */
  readonly noneLabel?: string;
  /** Shown for a color that isn't set. */
  readonly fallback?: string;
  /** The color it contrasts with; default: the form's background color. */
  readonly against?: ContrastReference;
  /** Shows the picture picker on demand, until a picture is chosen. */
  readonly folded?: boolean;
  readonly rows?: number;
  /** Focused when a dialog opens. */
  readonly focused?: boolean;
  /** Without a time of day. */
  readonly dayOnly?: boolean;
  /** The options, if the declaration leaves them open. */
  readonly choices?: readonly Choice[];
}

/** A color to contrast with, and the message if it doesn't. */
export interface ContrastReference {
  readonly color: string;
  readonly message: string;
}

/** Props of the input of a declared field. */
export interface InputProps extends Omit<FieldOverrides, "label" | "hint"> {
  readonly control: Control;
  readonly label: string;
  readonly declaration: Field;
  /** The whole draft's, for colors on each other. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly onChange: (value: unknown) => void;
  readonly onLeave?: () => void;
}
