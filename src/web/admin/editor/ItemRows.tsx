/** The rows of an item list; one that is edited and not saved yet says so. */
import { useSignals } from "@preact/signals-react/runtime";
import type { ReactNode } from "react";
import type { DocumentKey, Item } from "../../../schema/index.ts";
import { drafts, isUnsaved } from "../drafts/drafts.ts";
import { Badge } from "../parts/Badge.tsx";
import type { ItemListProps } from "./ItemList.tsx";
import { OrderedList } from "./OrderedList.tsx";

/** `editing` is the item whose form stands under its row. */
export interface ItemRowsProps<K extends DocumentKey> {
  readonly list: ItemListProps<K>;
  readonly items: readonly (Item<K> & { id: string })[];
  readonly editing: { readonly id: string; readonly form: ReactNode } | null;
  readonly onEdit: (id: string) => void;
}

/** Renders the rows in their order. */
export function ItemRows<K extends DocumentKey>({
  list,
  items,
  editing,
  onEdit,
}: ItemRowsProps<K>) {
  useSignals();
  const { entity, nameOf, confirmDelete, editable = true, children } = list;
  const typed = Object.values(drafts.value).filter(
    (each) => each.key === entity && isUnsaved(each),
  );
  return (
    <OrderedList
      entity={entity}
      items={items}
      nameOf={nameOf}
      confirmDelete={confirmDelete}
      onEdit={editable ? (item) => onEdit(item.id) : undefined}
      editing={editing}
    >
      {(item) => (
        <>
          {children(item)}
          {typed.some((draft) => draft.item === item.id) && <Badge tone="warn">Unsaved</Badge>}
        </>
      )}
    </OrderedList>
  );
}
