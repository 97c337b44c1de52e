/** A dialog that asks before an action that can't be undone, or that affects more than is visible. */
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { type ActionOptions, useAction } from "../../ui/useAction.ts";

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** The label of the cancel button, which has the focus when the dialog opens. */
  readonly cancelLabel?: string;
  readonly confirmLabel: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  /** The consequences of the action, such as data that would be lost. */
  readonly children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    title,
    cancelLabel = "Cancel",
    confirmLabel,
    onCancel,
    onConfirm,
    children,
  } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onCancel} title={title} size="small">
      {children}
      <div className="actions">
        <Button variant="quiet" data-autofocus onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button variant="danger" isPending={props.isPending} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}

/**
 * Usage: `const [ask, dialog] = useConfirmation(removeKey, { success: "Key removed" });`, then `<Button onClick={ask}>`
 * and `<ConfirmDialog {...dialog} title="Remove the key?" confirmLabel="Remove">`. The dialog closes when the action
 * ends.
 */
export function useConfirmation<T>(act: () => Promise<T>, options: ActionOptions<T> = {}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const [isPending, onConfirm] = useAction(act, {
    ...options,
    onSettled: () => {
      close();
      return options.onSettled?.();
    },
  });
  return [() => setOpen(true), { isOpen, isPending, onCancel: close, onConfirm }] as const;
}
