/** The number of new submissions beside the tab's label. */
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import { useNewSubmissions } from "./submissionCounts.ts";

/** Renders the number; nothing when there are none. */
export function NewSubmissions() {
  const count = useNewSubmissions();
  if (count === undefined) return null;
  return (
    <span className="rail-count">
      {count.toLocaleString("en-GB")} <VisuallyHidden>new submissions</VisuallyHidden>
    </span>
  );
}
