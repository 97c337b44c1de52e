/** The form of a testimonial. */
import { useEffect } from "react";
import type { Draft } from "../../data/useDraft.ts";
import { ItemFields } from "../../editor/ItemFields.tsx";

export function TestimonialFields({ draft }: { draft: Draft<"testimonials"> }) {
  const { isActive, isWaiting } = draft.values;
  // Publishing a testimonial ends its review.
  useEffect(() => {
    if (isActive && isWaiting) draft.setField("isWaiting", false);
  });
  return <ItemFields draft={draft} fields={{ words: { rows: 5 }, portrait: { isFolded: true } }} />;
}
