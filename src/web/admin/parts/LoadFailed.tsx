/** Says that something could not be read, and tries again. */
import RotateCw from "lucide-react/icons/rotate-cw";
import { Button } from "../../ui/Button.tsx";

/** `what` completes "Couldn't load …". */
export function LoadFailed({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <div className="load-failed" role="alert">
      <p>
        <strong>Couldn’t load {what}.</strong> Check your connection, then try again.
      </p>
      <Button size="small" onClick={onRetry}>
        <RotateCw size={14} aria-hidden="true" /> Retry
      </Button>
    </div>
  );
}
