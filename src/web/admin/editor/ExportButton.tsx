/** The CSV export of a list: its button and its progress. */
import Download from "lucide-react/icons/download";
import { formatNumber } from "../../../schema/core/formatNumber.ts";
import { Button } from "../../ui/Button.tsx";
import { type ExportRequest, exportRecords, useRunningExport } from "../data/exportRecords.ts";
import { usePermission } from "../data/session.ts";
import { usePageContext } from "../../shared/pageContext.ts";

interface ExportButtonProps<T extends { readonly id: string }> extends ExportRequest<T> {
  readonly children?: string;
}

export function ExportButton<T extends { readonly id: string }>({
  children = "Export CSV",
  ...request
}: ExportButtonProps<T>) {
  const hasPermission = usePermission();
  const { language } = usePageContext().site;
  const isRunning = useRunningExport(request.path) !== undefined;
  // The server refuses exports without this permission.
  if (!hasPermission("site")) return null;
  return (
    <Button isPending={isRunning} onClick={() => void exportRecords(request, language)}>
      <Download size={16} aria-hidden="true" /> {children}
    </Button>
  );
}

export function ExportProgress({ path }: { path: string }) {
  const running = useRunningExport(path);
  if (!running) return null;
  const { exportedCount, total, cancel } = running;
  const message =
    total === undefined
      ? "Preparing the export..."
      : `Exporting ${formatNumber(exportedCount)} of ${formatNumber(total)}...`;
  return (
    <div className="pad border-bottom row gap-12">
      <label className="stack grow quiet small">
        <span>{message}</span>
        <progress value={total === undefined ? undefined : exportedCount} max={total} />
      </label>
      <Button variant="quiet" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
