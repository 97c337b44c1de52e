/** Keeps the focus in a list whose rows move and go: on a keyboard it must never be lost. */
import { type RefObject, useLayoutEffect, useRef } from "react";

/** The element of the list that had the focus last, and the place of its row. */
interface Focused {
  readonly element: HTMLElement;
  readonly at: number;
}

/** After a move the focus stays on its button, after a deletion it goes to the row that follows. */
export function useKeptFocus(list: RefObject<HTMLElement | null>): void {
  const focused = useRef<Focused | null>(null);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || !focused.current) return;
    const { element, at } = focused.current;
    // A moved row is put into the page anew, which takes the focus from its button.
    if (element.isConnected) element.focus();
    else deleteButtonNear(list.current, at)?.focus();
  });
  useLayoutEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const element = target as HTMLElement;
      const at = [...(list.current?.children ?? [])].findIndex((row) => row.contains(element));
      focused.current = at < 0 ? null : { element, at };
    };
    const forget = ({ target }: PointerEvent) => {
      if (!list.current?.contains(target as Node)) focused.current = null;
    };
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", forget);
    };
  }, [list]);
}

/** That of the row now in this place, else of the last; without rows the one thing to do. */
function deleteButtonNear(list: HTMLElement | null, at: number): HTMLElement | null | undefined {
  const rows = list?.children ?? [];
  const row = rows[Math.min(at, rows.length - 1)];
  if (row) return row.querySelector<HTMLElement>('.row-actions [aria-label^="Delete "]');
  return list?.closest(".card")?.querySelector<HTMLElement>(".empty .ui-button");
}
