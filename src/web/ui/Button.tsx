/** The button of both sides, in four weights. */
import type { ButtonHTMLAttributes } from "react";

/** As a native button; its type is "button" unless said otherwise. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** "primary" once per view; "danger" for what cannot be restored. */
  readonly variant?: "primary" | "neutral" | "quiet" | "danger";
  readonly size?: "regular" | "small" | "icon";
  /** While its request is under way: disabled and announced as busy. The words are the caller's. */
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
