/** A modal dialog. The HTML element `dialog` handles the focus, Escape and the page behind the dialog. */
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { registerDialog } from "./openDialogs.ts";

/** The time for which a closing dialog fades out, in milliseconds; Dialog.css has the same time. */
const FADE_MS = 200;

/** `onClose` is called for Escape, the backdrop and the Close button. The parent then changes `isOpen`. */
interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The first element with `data-autofocus` gets the focus; without such an element, the first focusable one. */
  readonly children: ReactNode;
  readonly className?: string;
  readonly size?: "small" | "medium" | "large";
}

/** Renders a dialog. Its children are rendered only while the dialog is open or fades out. */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, className = "", size = "medium" } = props;
  const dialogRef = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const children = useRetainedContent(isOpen, props.children);
  const openCount = useOpenCount(isOpen);
  const backdropHandlers = useBackdropHandlers(onClose);
  const [, setSystemCloseCount] = useState(0);
  useModalDialog(dialogRef, isOpen);
  return (
    <dialog
      ref={dialogRef}
      aria-labelledby={titleId}
      className={`ui-dialog ${className}`}
      data-size={size}
      onCancel={(event) => handleCancelEvent(event, onClose)}
      onClose={(event) => {
        if (!isDialogEvent(event) || !isOpen || event.currentTarget.open) return;
        onClose();
        // On a second Escape or Back in a row, browsers close the dialog even if the page prevents it (HTML standard,
        // close watchers). If the parent keeps the dialog open, this rendering shows it again.
        setSystemCloseCount((count) => count + 1);
      }}
      {...backdropHandlers}
    >
      {children !== null && (
        <div className="ui-dialog-panel">
          <h2 id={titleId} className="ui-dialog-title">
            {title}
          </h2>
          <div key={openCount} className="ui-dialog-content">
            {children}
          </div>
          <button type="button" className="ui-close" aria-label="Close" onClick={onClose}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path
                d="m4 4 8 8m0-8-8 8"
                stroke="currentColor"
                strokeWidth="1.5"
                strokeLinecap="round"
              />
            </svg>
          </button>
        </div>
      )}
    </dialog>
  );
}

function useModalDialog(dialogRef: { current: HTMLDialogElement | null }, isOpen: boolean): void {
  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    if (!isOpen || !dialog) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    const unregisterDialog = registerDialog(dialog);
    return () => {
      unregisterDialog();
      // Closing returns the focus to the opener, even if the whole dialog is unmounted.
      dialog.close();
    };
  }, [isOpen, dialogRef]);
  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    if (isOpen && !dialog?.open) dialog?.showModal();
  });
}

/** Returns the children while the dialog is open, the last children while it fades out, and then null. */
function useRetainedContent(isOpen: boolean, children: ReactNode): ReactNode {
  const [retainedContent, setRetainedContent] = useState(isOpen ? children : null);
  if (isOpen && retainedContent !== children) setRetainedContent(children);
  useEffect(() => {
    if (isOpen) return;
    const timer = setTimeout(() => setRetainedContent(null), FADE_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return isOpen ? children : retainedContent;
}

/** Counts openings. The count is a key, so that a dialog reopened while it fades out gets new content. */
function useOpenCount(isOpen: boolean): number {
  const [{ wasOpen, count }, setOpening] = useState({ wasOpen: isOpen, count: 0 });
  if (isOpen !== wasOpen) setOpening({ wasOpen: isOpen, count: isOpen ? count + 1 : count });
  return count;
}

/** Returns handlers that close the dialog when the backdrop is pressed, not when a text selection ends on it. */
function useBackdropHandlers(onClose: () => void) {
  const hasBegunOnBackdropRef = useRef(false);
  return {
    onPointerDown: (event: PointerEvent<HTMLDialogElement>) => {
      hasBegunOnBackdropRef.current = isDialogEvent(event);
    },
    onClick: (event: MouseEvent<HTMLDialogElement>) => {
      if (hasBegunOnBackdropRef.current && isDialogEvent(event)) onClose();
    },
  };
}

function handleCancelEvent(event: SyntheticEvent<HTMLDialogElement>, onClose: () => void): void {
  if (!isDialogEvent(event)) return;
  event.preventDefault();
  onClose();
}

/** Whether an event comes from the dialog itself. Such events also bubble from file inputs and nested dialogs. */
function isDialogEvent(event: SyntheticEvent<HTMLDialogElement>): boolean {
  return event.target === event.currentTarget;
}
