/** The props of inputs, and a form's overrides of a field's declaration. */
import type { Choice, Field } from "../../../schema/kinds/fields.ts";
import type { ControlProps } from "../../ui/Field.tsx";

export interface FieldOverrides {
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The label of the image picker's tile for no image, such as "No Background". */
  readonly noneLabel?: string;
  /** The color shown if none is set. */
  readonly fallbackColor?: string;
  /** The color that this field's color must contrast with. Default: none. */
  readonly contrastWith?: ContrastReference;
  /** True: the image picker is collapsed until it is opened. */
  readonly isFolded?: boolean;
  readonly rows?: number;
  /** True: the field gets the focus when its dialog opens. */
  readonly hasAutofocus?: boolean;
  /** True: only a date, without a time of day. */
  readonly isDayOnly?: boolean;
  /** The options, if the declaration has none. */
  readonly choices?: readonly Choice[];
  /** Called instead of setting the value, for controls that set several fields. */
  readonly onChange?: (value: any) => void;
}

/** `message` warns that the field's color doesn't contrast with `color`. */
export interface ContrastReference {
  readonly color: string;
  readonly message: string;
}

export interface InputProps extends Omit<FieldOverrides, "label" | "hint"> {
  readonly control: ControlProps;
  readonly label: string;
  readonly declaration: Field;
  /** All values of the draft. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly onChange: (value: unknown) => void;
  readonly onBlur?: () => void;
}
