/** A text field of several lines. It isn't in Field.tsx, so that the login doesn't load it. */
import type { ComponentProps } from "react";
import { Field, type FieldPropsWith, splitFieldProps } from "./Field.tsx";

export function LongTextField(props: FieldPropsWith<ComponentProps<"textarea">>) {
  const [field, area] = splitFieldProps(props);
  return (
    <Field {...field}>
      {(control, change) => (
        <textarea
          dir="auto"
          {...control}
          {...area}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  );
}
