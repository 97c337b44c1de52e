/** Moves focus where the form wishes it: to the heading of a new step, or to a question. */
import { type RefObject, useLayoutEffect } from "react";
import type { EnquiryState, FocusWish } from "./enquiryState.ts";

/** Fulfils the state's wish once the page shows what it is about. */
export function useFocusWish(state: EnquiryState, root: RefObject<HTMLElement | null>): void {
  const wish = state.focus.value;
  useLayoutEffect(() => {
    if (wish && root.current) wishedFor(root.current, wish)?.focus();
  }, [wish, root]);
}

function wishedFor(root: HTMLElement, wish: FocusWish): HTMLElement | null {
  if (wish.on === "heading") return root.querySelector("[data-heading]");
  return root.querySelector(`[data-question="${CSS.escape(wish.id)}"] [data-answer]`);
}
