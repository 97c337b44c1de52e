/** What a form may say about a field, and what every control of a field gets. */
import type { Choice, Field } from "../../../schema/fields.ts";

/** What a form may say differently than the declaration. */
export interface FieldOverrides {
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** Words under a picture picker without pictures: what is so, and what to do. */
  readonly empty?: readonly [string, string];
  /** Names the tile of a picture picker that chooses none, such as "No Background". */
  readonly noneLabel?: string;
  /** What stands in for a color that is not set. */
  readonly fallback?: string;
  /** What a color stands on, or what stands on it; by default the form's background color. */
  readonly against?: ReadAgainst;
  /** Shows a picture picker only on a press, until a picture is chosen. */
  readonly folded?: boolean;
  readonly rows?: number;
  /** Has the focus in a dialog that opens. */
  readonly focused?: boolean;
  /** Asks for no time of day. */
  readonly dayOnly?: boolean;
  /** What can be chosen, where the declaration leaves it open. */
  readonly choices?: readonly Choice[];
}

/** A color to be told apart from, and the words when it can't be. */
export interface ReadAgainst {
  readonly color: string;
  readonly words: string;
}

/** What every control gets; `values` are the whole form's, for colors that stand on one another. */
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

/** What a control tells assistive technology about its field. */
export function describedBy({ id, invalid, declaration, hint }: InputProps) {
  const noted = invalid || (hint ?? declaration.hint) !== undefined;
  return {
    id,
    "aria-invalid": invalid || undefined,
    "aria-describedby": noted ? `${id}-note` : undefined,
    "aria-required": declaration.required || undefined,
  };
}
