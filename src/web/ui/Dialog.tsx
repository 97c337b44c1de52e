/** A modal dialog on the platform's own element, which handles focus, Escape and the page behind it. */
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
import { CloseButton } from "./CloseButton.tsx";
import { registerDialog } from "./openDialogs.ts";

/** The closing dialog's fade in milliseconds, the same as in Dialog.css. */
const FADE_MS = 200;

/** `onClose` is called for Escape, the backdrop and the close button; the parent then sets `open`. */
interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The title is for assistive technology only. */
  readonly isTitleHidden?: boolean;
  /** The first element with `data-autofocus` gets the focus, else the first focusable one. */
  readonly children: ReactNode;
  readonly className?: string;
  readonly size?: "small" | "medium" | "large" | "full";
}

/** The dialog; its content is in the page only while it is open or fading out. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    isTitleHidden: titleHidden = false,
    className = "",
    size = "medium",
  } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const children = useRetainedContent(open, props.children);
  const opening = useOpenCount(open);
  const backdrop = useBackdropHandlers(onClose);
  const [, setClosedBySystem] = useState(0);
  useModalDialog(ref, open);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      className={`ui-dialog ${className}`}
      data-size={size}
      onCancel={(event) => handleDismissEvent(event, onClose)}
      onClose={(event) => {
        if (!isDialogEvent(event) || !open || event.currentTarget.open) return;
        onClose();
        // A second Escape or Back in a row can't be prevented (HTML standard, close watchers). If the parent leaves
        // it open, it is shown again.
        setClosedBySystem((times) => times + 1);
      }}
      {...backdrop}
    >
      {children !== null && (
        <div className="ui-dialog-panel">
          <h2 id={titleId} className={titleHidden ? "visually-hidden" : "ui-dialog-title"}>
            {title}
          </h2>
          <div key={opening} className="ui-dialog-content">
            {children}
          </div>
          <CloseButton label="Close" onClick={onClose} />
        </div>
      )}
    </dialog>
  );
}

function useModalDialog(ref: { current: HTMLDialogElement | null }, open: boolean): void {
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    const leaveTopLayer = registerDialog(dialog);
    return () => {
      leaveTopLayer();
      // Closing returns the focus to where it was, even when the whole dialog is unmounted.
      dialog.close();
    };
  }, [open, ref]);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (open && !dialog?.open) dialog?.showModal();
  });
}

/** The children while open, and the last ones while it fades out; else null. */
function useRetainedContent(open: boolean, children: ReactNode): ReactNode {
  const [shown, setShown] = useState(open ? children : null);
  if (open && shown !== children) setShown(children);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setShown(null), FADE_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return open ? children : shown;
}

/** The number of times it was opened: content that is opened again while it fades out starts anew. */
function useOpenCount(open: boolean): number {
  const [{ wasOpen, count }, setOpening] = useState({ wasOpen: open, count: 0 });
  if (open !== wasOpen) setOpening({ wasOpen: open, count: open ? count + 1 : count });
  return count;
}

/** Closes on a press that begins and ends on the backdrop: a text selection may merely end there. */
function useBackdropHandlers(onClose: () => void) {
  const began = useRef(false);
  return {
    onPointerDown: (event: PointerEvent<HTMLDialogElement>) => {
      began.current = isDialogEvent(event);
    },
    onClick: (event: MouseEvent<HTMLDialogElement>) => {
      if (began.current && isDialogEvent(event)) onClose();
    },
  };
}

function handleDismissEvent(event: SyntheticEvent<HTMLDialogElement>, onClose: () => void): void {
  if (!isDialogEvent(event)) return;
  event.preventDefault();
  onClose();
}

/** File inputs and nested dialogs dispatch events of the same names. */
function isDialogEvent(event: SyntheticEvent<HTMLDialogElement>): boolean {
  return event.target === event.currentTarget;
}
