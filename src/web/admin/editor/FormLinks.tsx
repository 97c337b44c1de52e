/** Links to the site's forms, offered below a URL field. Loaded when the field is focused. */
import { useEntity } from "../data/useEntity.ts";
import type { InputProps } from "./inputProps.ts";

const BELOW_INPUT_STYLE = { marginTop: 8 };

/** Lists the active forms that have their own page. Pressing one puts its path into the field. */
export function FormLinks({ label, control: { value }, onChange }: InputProps) {
  const { value: forms = [] } = useEntity("forms");
  const offeredForms = forms.filter(({ isActive, path }) => isActive && path);
  if (offeredForms.length === 0) return null;
  return (
    <ul className="cluster" style={BELOW_INPUT_STYLE} aria-label={`Forms for ${label}`}>
      {offeredForms.map(({ id, title, path }) => (
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
