/** The sender's postal address, in the settings and before the first newsletter. */
import { LongTextField } from "../../../ui/LongTextField.tsx";
import type { FieldState } from "../../../ui/Field.tsx";

/** The server's limit, in characters. */
const MAX_LENGTH = 300;

/** Without a state, the field belongs to the surrounding form. */
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
