/** Offers forms with a page of their own for a URL field; loaded when the field is used. */
import { useEntity } from "../data/useEntity.ts";
import type { InputProps } from "./inputProps.ts";

const BELOW_INPUT = { marginTop: 8 };

/** Nothing if no active form has one. */
export function FormLinks({ label, control: { value }, onChange }: InputProps) {
  const { value: forms = [] } = useEntity("forms");
  const offered = forms.filter(({ isActive, path }) => isActive && path);
  if (offered.length === 0) return null;
  return (
    <ul className="cluster" style={BELOW_INPUT} aria-label={`Forms for ${label}`}>
      {offered.map(({ id, title, path }) => (
        <li key={id}>
          <button
            type="button"
            className="ui-button chip"
            aria-pressed={value === `/${path}`}
            onClick={() => onChange(`/${path}`)}
          >
            {`This form: ${title}`}
          </button>
        </li>
      ))}
    </ul>
  );
}
