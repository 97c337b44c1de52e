/** The rows of one area's uploads. Their code is loaded with the first upload. */
import { usePendingUploads } from "../data/pendingUploads.ts";
import { createLazyComponent } from "./lazyComponent.tsx";

const LazyUploadRows = createLazyComponent<{ areaId: string }>({
  subject: "the uploads",
  loadCode: async () => (await import("./PendingUploadRows.tsx")).PendingUploadRows,
  placeholder: null,
});

export function PendingUploads({ areaId }: { areaId: string }) {
  return usePendingUploads(areaId).length > 0 && <LazyUploadRows areaId={areaId} />;
}
