/** Asks before an action that can't be undone or that affects more than is visible. */
import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";

/** `cancel` is the label of the button that has the focus; `children` describe what would be lost. */
export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly cancel: string;
  readonly confirm: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  readonly pending?: boolean;
  readonly children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, cancel, confirm, onCancel, onConfirm, pending = false, children } = props;
  return (
    <Dialog open={open} onClose={onCancel} title={title} size="small">
      {children}
      <div className="actions">
        <Button variant="quiet" data-autofocus onClick={onCancel}>
          {cancel}
        </Button>
        <Button variant="danger" pending={pending} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
