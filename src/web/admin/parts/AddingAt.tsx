/** The files being added at a place; their rows are loaded with the first. */
import { useAddings } from "../data/pendingUploads.ts";
import { lazyPart } from "./LazyPart.tsx";

const Rows = lazyPart<{ source: string }>({
  subject: "the uploads",
  code: async () => (await import("./AddingRows.tsx")).AddingRows,
  waiting: null,
});

/** The files being added at a place, with their progress; nothing without any. */
export function AddingAt({ source }: { source: string }) {
  return useAddings(source).length > 0 && <Rows source={source} />;
}
