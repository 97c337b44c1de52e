/** A form's overrides for a field, and the props of all controls. */
import type { Choice, Field } from "../../../schema/kinds/fields.ts";
import { ariaOf } from "../../ui/FieldFrame.tsx";

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
  readonly against?: ReadAgainst;
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
export interface ReadAgainst {
  readonly color: string;
  readonly message: string;
}

/** Props of all controls; `values` are the whole form's, for colors on each other. */
export interface InputProps extends FieldOverrides {
  readonly id: string;
  readonly label: string;
  readonly declaration: Field;
  readonly value: any;
  readonly values: Readonly<Record<string, unknown>>;
  readonly invalid: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onLeave: () => void;
}

/** A field's ARIA attributes. */
export const describedBy = ({ id, invalid, declaration, hint = declaration.hint }: InputProps) =>
  ariaOf({ id, hint, isInvalid: invalid, isRequired: declaration.required });
