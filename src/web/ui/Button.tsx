/** The button of both sides, in four variants. */
import type { ButtonHTMLAttributes } from "react";

/** Like a native button; its default type is "button". */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** "primary" once per view; "danger" for what can't be undone. */
  readonly variant?: "primary" | "neutral" | "quiet" | "danger";
  readonly size?: "regular" | "small" | "icon";
  /** While its request is pending: disabled and announced as busy. The label is up to the caller. */
  readonly pending?: boolean;
}

export function Button({
  variant = "neutral",
  size = "regular",
  pending = false,
  disabled = false,
  className = "",
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      data-variant={variant}
      data-size={size}
      className={`ui-button ${className}`}
    />
  );
}
