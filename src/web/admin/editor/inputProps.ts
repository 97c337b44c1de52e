/** The props of a field's input, and the overrides with which a form changes a field's declaration. */
import type { Choice, Field } from "../../../schema/kinds/fields.ts";
import type { ControlProps } from "../../ui/Field.tsx";

export interface FieldOverrides {
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The label of the tile for "no image" in an image picker, such as "No Background". */
  readonly noneLabel?: string;
  /** The color that is shown if no color is set. */
  readonly fallbackColor?: string;
  /** The color that must have enough contrast with this field's color. Default: no check. */
  readonly contrastWith?: ContrastReference;
  /** True: the image picker is collapsed until it is opened. */
  readonly isFolded?: boolean;
  readonly rows?: number;
  /** True: the field gets the focus when its dialog opens. */
  readonly hasAutofocus?: boolean;
  /** True: only a date, without a time of day. */
  readonly isDayOnly?: boolean;
  /** The options of a choice whose declaration has no options. */
  readonly choices?: readonly Choice[];
  /** Called with the new value instead of setting the field, for controls that set several fields. */
  readonly onChange?: (value: any) => void;
}

/** `message` is shown if the field's color has too little contrast with `color`. */
export interface ContrastReference {
  readonly color: string;
  readonly message: string;
}

export interface InputProps extends Omit<FieldOverrides, "label" | "hint"> {
  readonly control: ControlProps;
  readonly label: string;
  readonly declaration: Field;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly onChange: (value: unknown) => void;
  readonly onBlur?: () => void;
}
