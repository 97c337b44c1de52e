/** Shows the toast there is in a live region at the foot of the screen. */
import { useSignals } from "@preact/signals-react/runtime";
import { type RefObject, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { CloseButton } from "./CloseButton.tsx";
import { openDialogs } from "./openDialogs.ts";
import { currentToast, dismissToast, type Toast, TOAST_DURATION } from "./toast.ts";

/** The region that toasts show in; once per page. F8 moves focus into it (specification, section 9.1). */
export function Toaster() {
  useSignals();
  const viewport = useRef<HTMLElement>(null);
  useKey("F8", () => viewport.current?.focus());
  // Inside an open dialog, where it can be reached; elsewhere it would lie behind the dialog.
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
      <CloseButton label="Close notification" onClick={dismiss} />
    </div>
  );
}

/** While someone points at the toast, is in it, or is away, its time stands still. */
const HOLDING = ["pointerenter", "focusin"] as const;
const RELEASING = ["pointerleave", "focusout"] as const;

/** Calls `over` when the time is up, or Escape is pressed in the toast or its viewport. */
function useToastTime(box: RefObject<HTMLElement | null>, over: () => void): void {
  const latest = useRef(over);
  useEffect(() => {
    latest.current = over;
  });
  useEffect(() => {
    const viewport = box.current!.closest<HTMLElement>(".ui-toasts")!;
    const away = new AbortController();
    const { signal } = away;
    const clock = startClock(() => latest.current());
    for (const type of HOLDING) viewport.addEventListener(type, clock.hold, { signal });
    for (const type of RELEASING) viewport.addEventListener(type, clock.release, { signal });
    window.addEventListener("blur", clock.hold, { signal });
    window.addEventListener("focus", clock.release, { signal });
    const escape = (event: KeyboardEvent) => event.key === "Escape" && latest.current();
    viewport.addEventListener("keydown", escape, { signal });
    return () => {
      clock.hold();
      away.abort();
    };
  }, [box]);
}

function startClock(over: () => void) {
  let left = TOAST_DURATION;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = () => {
    clearTimeout(timer);
    since = Date.now();
    timer = setTimeout(over, left);
  };
  const hold = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(1000, left - (Date.now() - since));
  };
  release();
  return { hold, release };
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
