/** Starts the export of a list, and shows how far it is. */
import { useSignals } from "@preact/signals-react/runtime";
import Download from "lucide-react/icons/download";
import { Button } from "../../ui/Button.tsx";
import { exportRecords, type ExportRequest, runningExports } from "./exportRecords.ts";

/** Renders Export CSV; off while the export is under way. */
export function ExportButton<T extends { readonly id: string }>(request: ExportRequest<T>) {
  useSignals();
  const running = runningExports.value[request.path] !== undefined;
  return (
    <Button pending={running} onClick={() => void exportRecords(request)}>
      <Download size={16} aria-hidden="true" /> Export CSV
    </Button>
  );
}
