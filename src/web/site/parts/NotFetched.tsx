/** Words and Retry in place of something whose code could not be fetched; the visitor stays where they are. */
import { reloadIfThere } from "../../shared/reachable.ts";
import { Button } from "../../ui/Button.tsx";
import { CloseButton } from "../../ui/CloseButton.tsx";

/** `onRetry` tries once more, and rejects when that fails too. */
export interface NotFetchedProps {
  readonly title: string;
  readonly onRetry: () => Promise<unknown>;
  readonly onClose: () => void;
}

/**
 * Looks like a toast, but needs no code that could not be fetched either, and stays until it is closed.
 * Some browsers remember a module that failed, so Retry then loads the page anew, never without a network.
 */
export function NotFetched({ title, onRetry, onClose }: NotFetchedProps) {
  return (
    <div className="ui-toasts" role="alert">
      <div className="ui-toast" data-destructive="">
        <div className="ui-toast-words">
          <div className="ui-toast-title">{title}</div>
          <div className="ui-toast-description">Check your connection, then try again.</div>
        </div>
        <Button onClick={() => void onRetry().catch(reloadIfThere)}>Retry</Button>
        <CloseButton label="Close" onClick={onClose} />
      </div>
    </div>
  );
}
