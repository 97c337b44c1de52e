/** A field of several lines; a module of its own, since the login needs none. */
import type { ComponentProps } from "react";
import { Field, type FieldWith, splitProps } from "./Field.tsx";

/** A text of several lines, in any direction of writing. */
export function LongTextField(props: FieldWith<ComponentProps<"textarea">>) {
  const [field, area] = splitProps(props);
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
