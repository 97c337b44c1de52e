/** The sender's postal address, shared by all letters. */
import { useId } from "react";
import { FieldFrame } from "../../../ui/FieldFrame.tsx";

interface PostalAddressProps {
  readonly value: string;
  readonly onChange: (address: string) => void;
}

/** In characters; the server's limit. */
const MOST = 300;

export function PostalAddress({ value, onChange }: PostalAddressProps) {
  const id = useId();
  return (
    <FieldFrame
      id={id}
      label="Postal address"
      hint="Appears at the end of every newsletter, as required by law."
      limit={{ text: value, most: MOST, isCounted: true }}
    >
      <textarea
        id={id}
        rows={3}
        autoComplete="street-address"
        aria-describedby={`${id}-note`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  );
}
