/** The props of a field's input, and the overrides with which a form changes a field's declaration. */
import type { Choice, Field } from "../../../schema/kinds/fields.ts";
import type { ControlProps } from "../../ui/Field.tsx";

export interface FieldOverrides {
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The label of an image picker's tile for no image, such as "No Background". */
  readonly noneLabel?: string;
  /** The color that is shown if none is set. */
  readonly fallbackColor?: string;
  /** A color with which this field's color must have enough contrast. Default: no check. */
  readonly contrastWith?: ContrastReference;
  /** True: the image picker is collapsed until it is opened. */
  readonly isFolded?: boolean;
  readonly rows?: number;
  /** True: the field gets the focus when its dialog opens. */
  readonly hasAutofocus?: boolean;
  /** True: a date without a time of day. */
  readonly isDayOnly?: boolean;
  /** The options of a choice field that declares none. */
  readonly choices?: readonly Choice[];
  /** Called instead of setting the field, for controls that set several fields. */
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
