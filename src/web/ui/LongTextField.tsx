/** A field of several lines; a module of its own, since the login needs none. */
import type { ComponentProps } from "react";
import { Field, type FieldWith, splitFieldProps } from "./Field.tsx";

/** A text of several lines, in any direction of writing. */
export function LongTextField(props: FieldWith<ComponentProps<"textarea">>) {
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
