/** What is there while the list of what's next is. */
import type { ReactNode } from "react";
import { useEntity } from "../data/useEntity.ts";

/** On a site that was set up with a welcome, until everything of the list is done. */
export function WhileListed({ children }: { readonly children: ReactNode }) {
  const { value } = useEntity("welcome");
  return value && value.state !== "none" && value.checklist !== "done" ? children : null;
}
