/** A form that closes takes the focus along: it goes back to the Edit button of its row. */
import { type RefObject, useLayoutEffect, useRef } from "react";

/** `editing` is the id of the row whose form is open; `ids` are those of the rows, as shown. */
export function useFocusAfterEditing(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  editing: string | undefined,
): void {
  const last = useRef(editing);
  useLayoutEffect(() => {
    const closed = editing === undefined ? last.current : undefined;
    last.current = editing;
    if (closed === undefined || document.activeElement !== document.body) return;
    const row = list.current?.children[ids.indexOf(closed)];
    row?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
  }, [list, ids, editing]);
}
