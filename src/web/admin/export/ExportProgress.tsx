/** How far an export is, and the way out of it. */
import { useSignals } from "@preact/signals-react/runtime";
import { Button } from "../../ui/Button.tsx";
import { runningExports } from "./exportRecords.ts";

/** Renders nothing unless the list at `path` is being exported. */
export function ExportProgress({ path }: { path: string }) {
  useSignals();
  const running = runningExports.value[path];
  if (!running) return null;
  const { done, total, cancel } = running;
  const words =
    total === undefined
      ? "Preparing the export…"
      : `Exporting ${done.toLocaleString("en-GB")} of ${total.toLocaleString("en-GB")}…`;
  return (
    <div className="export-progress">
      <label>
        <span>{words}</span>
        <progress value={total === undefined ? undefined : done} max={total} />
      </label>
      <Button variant="quiet" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
