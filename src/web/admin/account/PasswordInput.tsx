/** A password that can be looked at. */
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { type ComponentProps, useState } from "react";

/** As a native input, with `onChange` giving the text. */
export interface PasswordInputProps extends Omit<ComponentProps<"input">, "onChange" | "type"> {
  readonly onChange: (password: string) => void;
}

/** Renders the input with its eye. */
export function PasswordInput({ onChange, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="password">
      <input
        autoComplete="current-password"
        {...rest}
        type={shown ? "text" : "password"}
        onChange={({ target }) => onChange(target.value)}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={shown ? "Hide characters" : "Show characters"}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </span>
  );
}
