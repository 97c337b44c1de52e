/** The button of public pages and the dashboard. */
import type { ButtonHTMLAttributes, MouseEvent } from "react";

/** The default `type` is "button". */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** "primary" is used once per view, "danger" for actions that can't be undone. */
  readonly variant?: "primary" | "neutral" | "quiet" | "danger";
  readonly size?: "regular" | "small";
  /** Ignores presses and announces the button as busy. The button keeps the focus. The caller changes the label. */
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
      // Enter in a field clicks the form's button, so Enter is ignored, too, while the action runs.
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
