/** Asks for confirmation before a logout that would cancel uploads or leave unsaved changes on the device. */
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { hasUploads } from "../data/activeUploads.ts";
import { findUnsavedDrafts } from "../data/drafts.ts";

export interface LogoutQuestionProps {
  readonly isPending: boolean;
  readonly onStay: () => void;
  /** `shouldRetain` is true if unsaved changes stay on this device. */
  readonly onLeave: (shouldRetain: boolean) => void;
}

export function LogoutQuestion({ isPending, onStay, onLeave }: LogoutQuestionProps) {
  const labels = [...new Set(findUnsavedDrafts().map(({ label }) => label))];
  return (
    <Dialog isOpen onClose={onStay} title="Log out?" size="small">
      <div className="stack gap-12">
        {labels.length > 0 && (
          <p>
            You have unsaved changes: <strong>{labels.join(", ")}</strong>. Keep them as drafts on
            this device, or discard them if other people use it.
          </p>
        )}
        {hasUploads() && <p>Files are still uploading. Logging out cancels them.</p>}
      </div>
      <div className="actions">
        <Button variant="quiet" onClick={onStay}>
          Cancel
        </Button>
        {labels.length > 0 && (
          <Button variant="danger" isPending={isPending} onClick={() => onLeave(false)}>
            Discard and log out
          </Button>
        )}
        <Button
          variant="primary"
          isPending={isPending}
          data-autofocus
          onClick={() => onLeave(true)}
        >
          {labels.length > 0 ? "Keep and log out" : "Log out"}
        </Button>
      </div>
    </Dialog>
  );
}
