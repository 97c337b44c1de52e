/** A button with only an icon. Its name is also its tooltip. */
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Tooltip } from "./Tooltip.tsx";

/** An unavailable button keeps the focus, unlike a disabled one. */
interface IconButtonProps extends ComponentProps<"button"> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isUnavailable?: boolean;
}

export function IconButton({
  icon: Icon,
  label,
  isUnavailable: off = false,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        className="icon-button"
        aria-label={label}
        aria-disabled={off || undefined}
        {...rest}
        onClick={off ? undefined : onClick}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}
