/** Asks at logout whether unsaved changes stay on this device, which somebody else may use next. */
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { findUnsavedDrafts } from "../data/drafts.ts";

export interface LogoutQuestionProps {
  readonly isPending: boolean;
  readonly onStay: () => void;
  /** `shouldRetain`: whether unsaved input stays on this device. */
  readonly onLeave: (shouldRetain: boolean) => void;
}

export function LogoutQuestion({ isPending, onStay, onLeave }: LogoutQuestionProps) {
  const names = [...new Set(findUnsavedDrafts().map(({ label }) => label))];
  return (
    <Dialog isOpen onClose={onStay} title="Log out?" size="small">
      <p>
        You have unsaved changes: <strong>{names.join(", ")}</strong>. Keep them as drafts on this
        device, or discard them if other people use it.
      </p>
      <div className="actions">
        <Button variant="quiet" onClick={onStay}>
          Cancel
        </Button>
        <Button variant="danger" isPending={isPending} onClick={() => onLeave(false)}>
          Discard and log out
        </Button>
        <Button
          variant="primary"
          isPending={isPending}
          data-autofocus
          onClick={() => onLeave(true)}
        >
          Keep and log out
        </Button>
      </div>
    </Dialog>
  );
}
