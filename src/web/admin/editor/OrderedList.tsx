/** A list that the owner arranges: by the grip, or by buttons for keyboards and thumbs (ux.md). */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { deleteWithUndo } from "./deleteWithUndo.ts";
import { OrderedRow } from "./OrderedRow.tsx";
import { arrange, type Arranged, type ArrangedItem } from "./arrange.ts";
import { useDragOrder } from "./useDragOrder.ts";
import { useFocusAfterEditing } from "./useFocusAfterEditing.ts";

/** `<OrderedList entity="statistics" items={items} nameOf={…} onEdit={…}>{(item) => …}</OrderedList>` */
export interface OrderedListProps<T extends ArrangedItem> extends Arranged<T> {
  readonly items: readonly T[];
  readonly onEdit?: ((item: T) => void) | undefined;
  /** Asked by the browser before deleting (spec section 5, "Confirmations"); nothing is asked without it. */
  readonly confirmDelete?: string | undefined;
  /** In the place of deleting with Undo, where more goes with the item. */
  readonly onDelete?: ((item: T) => void) | undefined;
  /** Further buttons at the end of a row. */
  readonly actions?: ((item: T) => ReactNode) | undefined;
  /** The item being edited, and the form that opens under its row. */
  readonly editing?: { readonly id: string; readonly form?: ReactNode } | null | undefined;
  readonly children: (item: T) => ReactNode;
}

/** Renders the rows. Moves and deletions save at once and offer Undo. */
export function OrderedList<T extends ArrangedItem>(props: OrderedListProps<T>) {
  const { items, nameOf, onEdit, confirmDelete, onDelete, actions, editing, children } = props;
  const ref = useRef<HTMLOListElement>(null);
  const ids = items.map((item) => item.id);
  const moveTo = (next: readonly string[]) =>
    void arrange(props, items, next, movedItem(items, next));
  const shown = useDragOrder(ref, ids, moveTo);
  useKeptFocus(ref);
  useFocusAfterEditing(ref, shown, editing?.id);
  const remove = (item: T) => {
    if (onDelete) return onDelete(item);
    if (confirmDelete === undefined || window.confirm(confirmDelete))
      void deleteWithUndo(props.entity, item);
  };
  return (
    <ol ref={ref} className="rows">
      {shown.map((id, at) => {
        const item = items.find((each) => each.id === id);
        if (!item) return null;
        return (
          <OrderedRow
            key={id}
            name={nameOf(item)}
            at={at}
            count={shown.length}
            onMove={(step) => moveTo(swapped(shown, at, at + step))}
            onEdit={onEdit && (() => onEdit(item))}
            onDelete={() => remove(item)}
            actions={actions?.(item)}
            isOpen={editing?.id === id}
            form={editing?.id === id ? editing.form : undefined}
          >
            {children(item)}
          </OrderedRow>
        );
      })}
    </ol>
  );
}

function swapped(ids: readonly string[], from: number, to: number): string[] {
  const next = [...ids];
  [next[from], next[to]] = [next[to]!, next[from]!];
  return next;
}

/** The item that a person moved: the one that went furthest. */
function movedItem<T extends ArrangedItem>(
  items: readonly T[],
  ids: readonly string[],
): T | undefined {
  const distance = (item: T) => Math.abs(ids.indexOf(item.id) - items.indexOf(item));
  return [...items].sort((a, b) => distance(b) - distance(a))[0];
}

/** A moved row is put into the page anew, which would take the focus from its button. */
function useKeptFocus(list: { current: HTMLElement | null }): void {
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) focused.current?.focus();
  });
  useLayoutEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const isIn = list.current?.contains(target as Node);
      focused.current = isIn ? (target as HTMLElement) : null;
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
