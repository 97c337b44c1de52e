/** A switch between yes and no. */

/** `label` names it and stands beside it. */
export interface ToggleProps {
  readonly id?: string;
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Renders the switch. */
export function Toggle({ id, label, on, onChange }: ToggleProps) {
  return (
    <label className="toggle">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
