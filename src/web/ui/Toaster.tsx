/** Shows the current toast in a live region of the dashboard; the public pages' is inline/toasts.ts. */
import { type RefObject, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { CloseButton } from "./CloseButton.tsx";
import { useTopDialog } from "./openDialogs.ts";
import { dismissToast, type Toast, useToast } from "./toast.ts";
import { startToastTimer } from "./toastTime.ts";

/** The live region for toasts; once per page. F8 focuses it (specification, section 9.1). */
export function Toaster() {
  const viewport = useRef<HTMLElement>(null);
  useKey("F8", () => viewport.current?.focus());
  // Inside an open dialog, where it is reachable; elsewhere it would be behind the dialog.
  const container = useTopDialog() ?? document.body;
  const toast = useToast();
  return createPortal(
    <section ref={viewport} className="ui-toasts" aria-label="Notifications (F8)" tabIndex={-1}>
      <div aria-live="polite" aria-atomic="true">
        {toast?.open && <ShownToast key={toast.id} {...toast} />}
      </div>
    </section>,
    container,
  );
}

function ShownToast({ id, title, description, destructive, action }: Toast) {
  const box = useRef<HTMLDivElement>(null);
  const dismiss = () => dismissToast(id);
  useToastTime(box, dismiss);
  return (
    <div ref={box} className="ui-toast" data-destructive={destructive || undefined}>
      <div className="ui-toast-text">
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
      <CloseButton label="Close notification" onClick={dismiss} />
    </div>
  );
}

/** Calls `over` when the time is up, or on Escape in the toast or its viewport. */
function useToastTime(box: RefObject<HTMLElement | null>, over: () => void): void {
  const latest = useRef(over);
  useEffect(() => {
    latest.current = over;
  });
  useEffect(() => {
    const viewport = box.current?.closest<HTMLElement>(".ui-toasts");
    if (viewport) return startToastTimer(viewport, () => latest.current());
  }, [box]);
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
