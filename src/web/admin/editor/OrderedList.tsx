/** A list that the owner arranges: by the grip, or by buttons for keyboards and thumbs (ux.md). */
import "./rowStyles.ts";
import { type ReactNode, useRef } from "react";
import { deleteWithUndo } from "./deleteWithUndo.ts";
import { OrderedRow } from "./OrderedRow.tsx";
import { arrange, type Arranged, type ArrangedItem } from "./arrange.ts";
import { useDragOrder } from "./useDragOrder.ts";
import { useFocusAfterEditing } from "./useFocusAfterEditing.ts";
import { useKeptFocus } from "./useKeptFocus.ts";

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
  const moveTo = (next: readonly string[], moved: string) =>
    void arrange(props, items, next, moved);
  const shown = useDragOrder(ref, ids, moveTo);
  useFocusAfterEditing(ref, shown, editing?.id);
  useKeptFocus(ref);
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
            onMove={(step) => moveTo(swapped(shown, at, at + step), id)}
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
