/** The button of public pages and the dashboard. */
import type { ButtonHTMLAttributes, MouseEvent } from "react";

/** The default `type` is "button". */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** "primary" is for the main action, once per view; "danger" is for actions that can't be undone. */
  readonly variant?: "primary" | "neutral" | "quiet" | "danger";
  readonly size?: "regular" | "small";
  /** True while the action runs: the button ignores presses and is announced as busy, but keeps focus and label. */
  readonly isPending?: boolean;
}

export function Button({
  variant = "neutral",
  size = "regular",
  isPending = false,
  className = "",
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      // This also ignores Enter in a field, which browsers turn into a click on the form's button.
      {...(isPending && {
        "aria-disabled": true,
        "aria-busy": true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
      type={type}
      data-variant={variant}
      data-size={size}
      className={`ui-button ${className}`}
    />
  );
}
