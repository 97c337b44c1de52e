/** A button with only an icon. Its name is also its tooltip. */
import type { LucideIcon } from "lucide-react";
import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";

/** A button with `isUnavailable` does nothing, but keeps the focus, unlike a disabled button. */
interface IconButtonProps extends ComponentProps<"button"> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isUnavailable?: boolean;
}

export function IconButton({
  icon: Icon,
  label,
  isUnavailable = false,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        className="icon-button"
        aria-label={label}
        aria-disabled={isUnavailable || undefined}
        {...rest}
        onClick={isUnavailable ? undefined : onClick}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}

/** The delay before a tooltip opens, in milliseconds. */
const OPEN_DELAY_MS = 700;
/** The time after a tooltip closes in which the next tooltip opens immediately, in milliseconds. */
const SKIP_DELAY_MS = 300;

let lastClosedAt = Number.NEGATIVE_INFINITY;

/** `children` is one focusable element with its own accessible name. */
interface TooltipProps {
  readonly text: ReactNode;
  readonly children: ReactElement;
}

function Tooltip({ text, children }: TooltipProps) {
  const anchorRef = useRef<HTMLSpanElement>(null);
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [openAnchor, setOpenAnchor] = useState<HTMLElement | null>(null);
  const show = () => setOpenAnchor(anchorRef.current);
  const scheduleShow = () => {
    timerRef.current = setTimeout(
      show,
      Date.now() - lastClosedAt < SKIP_DELAY_MS ? 0 : OPEN_DELAY_MS,
    );
  };
  const hide = () => {
    clearTimeout(timerRef.current);
    if (openAnchor) lastClosedAt = Date.now();
    setOpenAnchor(null);
  };
  useEffect(() => () => clearTimeout(timerRef.current), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- watches its child only
    <span
      ref={anchorRef}
      className="ui-tooltip-anchor"
      onPointerEnter={(event) => event.pointerType === "mouse" && scheduleShow()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show()}
      onBlur={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {children}
      {openAnchor && <TooltipBubble anchor={openAnchor}>{text}</TooltipBubble>}
    </span>
  );
}

/** The tooltip is hidden from assistive technology, since the element has the same name. */
function TooltipBubble({ anchor, children }: { anchor: HTMLElement; children: ReactNode }) {
  const { left, width, top, bottom } = (anchor.firstElementChild ?? anchor).getBoundingClientRect();
  const isBelow = top < 44;
  const position = { left: left + width / 2, top: isBelow ? bottom + 6 : top - 6 };
  return createPortal(
    <div
      className="ui-tooltip"
      data-below={isBelow || undefined}
      aria-hidden="true"
      style={position}
    >
      {children}
    </div>,
    anchor.closest("dialog") ?? document.body,
  );
}
