/** A switch between yes and no. */
import type { ReactNode } from "react";

/** `label` names it and stands beside it; `note` is the id of its description. */
interface ToggleProps {
  readonly id?: string;
  readonly label: ReactNode;
  readonly note?: string | undefined;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function Toggle({ id, label, note, on, onChange }: ToggleProps) {
  return (
    <label className="switch quiet small medium">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        aria-describedby={note}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
