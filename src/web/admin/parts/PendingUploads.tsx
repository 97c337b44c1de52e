/** The uploads in progress that one part of the dashboard started. The code of their rows is loaded with the first. */
import { usePendingUploads } from "../data/pendingUploads.ts";
import { createLazyComponent } from "./lazyComponent.tsx";

const LazyUploadRows = createLazyComponent<{ source: string }>({
  subject: "the uploads",
  loadCode: async () => (await import("./PendingUploadRows.tsx")).PendingUploadRows,
  placeholder: null,
});

export function PendingUploads({ source }: { source: string }) {
  return usePendingUploads(source).length > 0 && <LazyUploadRows source={source} />;
}
