/** A complete list: Add button, empty and loading states, rows, and an item's form. */
import type { LucideIcon } from "lucide-react";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useState } from "react";
import { type DocumentKey, entities, type Entity, type Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { NEW, useUnsaved } from "../data/drafts.ts";
import { useEntity } from "../data/useEntity.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { Read } from "../../ui/Read.tsx";
import { Example } from "./Example.tsx";
import { ItemForm, type ItemFormOptions, type ItemFormProps } from "./ItemForm.tsx";
import { InlineForm, OrderedList } from "./OrderedList.tsx";
import { WindowBadge } from "./When.tsx";

/** A list's content and texts. */
interface ItemListProps<K extends DocumentKey> {
  readonly entity: K;
  readonly title: string;
  /** The items' name in "Loading …..." and "Couldn't load …". */
  readonly subject: string;
  /** The text of the button for a new item. */
  readonly add: string;
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly help?: string };
  /** Example rows above the empty state. */
  readonly examples: readonly ReactNode[];
  /** An item's name in its buttons, distinct from `all` others. */
  readonly nameOf: (item: Item<K>, all: readonly Item<K>[]) => string;
  /** The filter of listed items, if others are shown elsewhere. */
  readonly isListed?: (item: Item<K>) => boolean;
  /** The browser's question before a deletion; without it none. */
  readonly confirmDelete?: string;
  readonly form?: ItemFormOptions<K>;
  /** The form opens in a dialog with this title; default: above the list, or under its row. */
  readonly dialogTitle?: (isNew: boolean) => string;
  /** More buttons in the head, such as History. */
  readonly actions?: ReactNode;
  /** A row's content. */
  readonly children: (item: Item<K>) => ReactNode;
}

/** `<ItemList entity="statistics" title="All statistics" add="Add New" …>{(item) => …}</ItemList>` */
export function ItemList<K extends DocumentKey>(props: ItemListProps<K>) {
  const { entity, title, subject, actions, dialogTitle, empty, examples } = props;
  const read = useEntity(entity);
  const all = (read.value ?? []) as readonly (Item<K> & { id: string })[];
  const items = props.isListed ? all.filter(props.isListed) : all;
  const [wanted, setOpen] = useState<string | null>(null);
  // Opens only once the list is loaded: a new item would otherwise become the first.
  const open = read.value === undefined ? null : wanted;
  const isEmpty = read.value !== undefined && items.length === 0;
  const close = () => setOpen(null);
  const form = open !== null && formOf(props, { item: open, items: all, onClose: close });
  const hasExample = examples.length > 0;
  const add = <AddButton label={props.add} first={isEmpty} open={open === NEW} onAdd={setOpen} />;
  return (
    <Card
      title={title}
      note={read.value && items.length}
      actions={
        <>
          {actions}
          {(!isEmpty || hasExample) && add}
        </>
      }
      flush
    >
      {dialogTitle && (
        <Dialog open={open !== null} onClose={close} title={dialogTitle(open === NEW)}>
          <InlineForm>{form}</InlineForm>
        </Dialog>
      )}
      {!dialogTitle && open === NEW && <InlineForm inList>{form}</InlineForm>}
      {isEmpty && (dialogTitle || open !== NEW) && (
        <>
          {hasExample && <Example rows={examples} />}
          <EmptyState title={empty.title} {...(!hasExample && { icon: empty.icon, action: add })}>
            {empty.help}
          </EmptyState>
        </>
      )}
      <Read of={read} subject={subject}>
        {() => (
          <ItemRows
            list={props}
            items={items}
            editing={dialogTitle || open === null ? null : { id: open, form }}
            onEdit={(id) => setOpen(open === id ? null : id)}
          />
        )}
      </Read>
    </Card>
  );
}

const formOf = <K extends DocumentKey>(
  { entity, form: options }: ItemListProps<K>,
  shown: Pick<ItemFormProps<K>, "item" | "items" | "onClose">,
) => <ItemForm key={shown.item} entity={entity} options={options} {...shown} />;

interface AddButtonProps {
  readonly label: string;
  /** In an empty list it is the primary action. */
  readonly first: boolean;
  readonly open: boolean;
  readonly onAdd: (item: typeof NEW) => void;
}

function AddButton({ label, first, open, onAdd }: AddButtonProps) {
  return (
    <Button
      data-adds
      variant={first ? "primary" : "neutral"}
      disabled={open}
      onClick={() => onAdd(NEW)}
    >
      <Plus size={16} aria-hidden="true" /> {label}
    </Button>
  );
}

/** `editing` is the item whose form is open under its row. */
interface ItemRowsProps<K extends DocumentKey> {
  readonly list: ItemListProps<K>;
  readonly items: readonly (Item<K> & { id: string })[];
  readonly editing: { readonly id: string; readonly form: ReactNode } | null;
  readonly onEdit: (id: string) => void;
}

/** The rows in order; unsaved ones are marked. */
function ItemRows<K extends DocumentKey>({ list, items, editing, onEdit }: ItemRowsProps<K>) {
  const { entity, nameOf, isListed, confirmDelete, children } = list;
  const typed = useUnsaved().filter((each) => each.key === entity);
  return (
    <OrderedList
      entity={entity}
      items={items}
      nameOf={(item) => nameOf(item, items)}
      isListed={isListed}
      confirmDelete={confirmDelete}
      onEdit={(item) => onEdit(item.id)}
      editing={editing}
    >
      {(item) => (
        <>
          {children(item)}
          {(entities[entity] as Entity).window && <WindowBadge item={item} />}
          {typed.some((draft) => draft.item === item.id) && <Badge tone="warn">Unsaved</Badge>}
        </>
      )}
    </OrderedList>
  );
}
