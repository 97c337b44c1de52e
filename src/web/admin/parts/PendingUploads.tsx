/** The files being added at a place; their rows are loaded with the first. */
import { usePendingUploads } from "../data/pendingUploads.ts";
import { createLazyComponent } from "./lazyComponent.tsx";

const LazyUploadRows = createLazyComponent<{ source: string }>({
  subject: "the uploads",
  loadCode: async () => (await import("./PendingUploadRows.tsx")).PendingUploadRows,
  placeholder: null,
});

/** The files being added at a place, with their progress; nothing without any. */
export function PendingUploads({ source }: { source: string }) {
  return usePendingUploads(source).length > 0 && <LazyUploadRows source={source} />;
}
