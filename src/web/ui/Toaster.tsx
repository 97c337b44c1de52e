/** Shows the toast there is in a live region at the foot of the screen. */
import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { CloseIcon } from "./CloseIcon.tsx";
import { openDialogs } from "./openDialogs.ts";
import { currentToast, dismissToast, type Toast } from "./toast.ts";
import { useToastTime } from "./useToastTime.ts";

/** Renders the viewport; once per page. F8 moves focus into it (spec section 9). */
export function Toaster() {
  useSignals();
  const viewport = useRef<HTMLElement>(null);
  useKey("F8", () => viewport.current?.focus());
  // Within an open dialog, or the toast would lie under it, out of reach.
  const place = openDialogs.value.at(-1) ?? document.body;
  const toast = currentToast.value;
  return createPortal(
    <section ref={viewport} className="ui-toasts" aria-label="Notifications (F8)" tabIndex={-1}>
      <div aria-live="polite" aria-atomic="true">
        {toast?.open && <ShownToast key={toast.id} {...toast} />}
      </div>
    </section>,
    place,
  );
}

function ShownToast({ id, title, description, destructive, action }: Toast) {
  const box = useRef<HTMLDivElement>(null);
  const dismiss = () => dismissToast(id);
  useToastTime(box, dismiss);
  return (
    <div ref={box} className="ui-toast" data-destructive={destructive || undefined}>
      <div className="ui-toast-words">
        <div className="ui-toast-title">{title}</div>
        {description && <div className="ui-toast-description">{description}</div>}
      </div>
      {action && (
        <button
          type="button"
          className="ui-button"
          data-size="small"
          onClick={() => {
            dismiss();
            action.onPress();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="ui-close" aria-label="Close notification" onClick={dismiss}>
        <CloseIcon />
      </button>
    </div>
  );
}

function useKey(key: string, then: () => void): void {
  const latest = useRef(then);
  useEffect(() => {
    latest.current = then;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => event.key === key && latest.current();
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [key]);
}
