/** The sender's postal address, shared by all letters. */
import { LongTextField } from "../../../ui/LongTextField.tsx";
import type { FieldState } from "../../../ui/Field.tsx";

/** In characters; the server's limit. */
const MAX_LENGTH = 300;

/** In the surrounding form, or with a state of its own. */
export function PostalAddressField({ state }: { readonly state?: FieldState<string> }) {
  return (
    <LongTextField
      {...(state ? { state } : { name: "postalAddress" })}
      label="Postal address"
      hint="Appears at the end of every newsletter, as required by law."
      most={MAX_LENGTH}
      isCounted
      rows={3}
      dir={undefined}
      autoComplete="street-address"
    />
  );
}
