/** The button of public pages and the dashboard. */
import type { ButtonHTMLAttributes } from "react";

/** The default `type` is "button". */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** "primary" once per view; "danger" for actions that can't be undone. */
  readonly variant?: "primary" | "neutral" | "quiet" | "danger";
  readonly size?: "regular" | "small";
  /** Disables the button and announces it as busy. The caller changes the label. */
  readonly isPending?: boolean;
}

export function Button({
  variant = "neutral",
  size = "regular",
  isPending = false,
  disabled = false,
  className = "",
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
      data-variant={variant}
      data-size={size}
      className={`ui-button ${className}`}
    />
  );
}
