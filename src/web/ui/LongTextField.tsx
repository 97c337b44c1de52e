/** A field of several lines. It has its own module, since the login doesn't need it. */
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
