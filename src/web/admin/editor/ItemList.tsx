/** A list with everything around it: Add, empty and loading words, rows, and the form of one item. */
import { useSignals } from "@preact/signals-react/runtime";
import type { LucideIcon } from "lucide-react";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useState } from "react";
import { type DocumentKey, entities, type Entity, type Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { drafts, isUnsaved, NEW } from "../data/drafts.ts";
import { useEntity } from "../data/useEntity.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { Read } from "../../ui/Read.tsx";
import { Example } from "./Example.tsx";
import { ItemForm, type ItemFormLook } from "./ItemForm.tsx";
import { InlineForm, OrderedList } from "./OrderedList.tsx";
import { WindowBadge } from "./When.tsx";

/** What a list is made of, and what is said around it. */
interface ItemListProps<K extends DocumentKey> {
  readonly entity: K;
  readonly title: string;
  /** The items in "Loading …..." and "Couldn't load …". */
  readonly what: string;
  /** The button that opens the form of a new item. */
  readonly add: string;
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly help?: string };
  /** Rows as they could be, over the words of an empty list. */
  readonly examples: readonly ReactNode[];
  /** An item in the names of its buttons, told apart from `all`. */
  readonly nameOf: (item: Item<K>, all: readonly Item<K>[]) => string;
  /** Which items stand in it, where others are shown elsewhere. */
  readonly isListed?: (item: Item<K>) => boolean;
  /** Asked by the browser before an item is deleted; nothing is asked without it. */
  readonly confirmDelete?: string;
  readonly form?: ItemFormLook<K>;
  /** The form opens in a dialog of this title; else on top of the list, or under its row. */
  readonly dialogTitle?: (isNew: boolean) => string;
  /** False where an item can only be moved and deleted. */
  readonly editable?: boolean;
  /** Further buttons in the head, such as History. */
  readonly actions?: ReactNode;
  /** What stands in a row. */
  readonly children: (item: Item<K>) => ReactNode;
}

/** `<ItemList entity="statistics" title="All statistics" add="Add New" …>{(item) => …}</ItemList>` */
export function ItemList<K extends DocumentKey>(props: ItemListProps<K>) {
  const { entity, title, what, actions, dialogTitle, empty, examples, form: look = {} } = props;
  const read = useEntity(entity);
  const all = (read.value ?? []) as readonly (Item<K> & { id: string })[];
  const items = props.isListed ? all.filter(props.isListed) : all;
  const [wanted, setOpen] = useState<string | null>(null);
  // A press before the list is read waits for it: a new item would take the first place.
  const open = read.value === undefined ? null : wanted;
  const isEmpty = read.value !== undefined && items.length === 0;
  const close = () => setOpen(null);
  const form = open !== null && (
    <ItemForm key={open} entity={entity} look={look} item={open} items={all} onClose={close} />
  );
  const hasExample = examples.length > 0;
  const add = <AddButton words={props.add} first={isEmpty} open={open === NEW} onAdd={setOpen} />;
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
      <Read of={read} what={what}>
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

interface AddButtonProps {
  readonly words: string;
  /** Of an empty list it is the one thing to do. */
  readonly first: boolean;
  readonly open: boolean;
  readonly onAdd: (item: typeof NEW) => void;
}

function AddButton({ words, first, open, onAdd }: AddButtonProps) {
  return (
    <Button
      data-adds
      variant={first ? "primary" : "neutral"}
      disabled={open}
      onClick={() => onAdd(NEW)}
    >
      <Plus size={16} aria-hidden="true" /> {words}
    </Button>
  );
}

/** `editing` is the item whose form stands under its row. */
interface ItemRowsProps<K extends DocumentKey> {
  readonly list: ItemListProps<K>;
  readonly items: readonly (Item<K> & { id: string })[];
  readonly editing: { readonly id: string; readonly form: ReactNode } | null;
  readonly onEdit: (id: string) => void;
}

/** The rows in their order; one that is edited and not saved yet says so. */
function ItemRows<K extends DocumentKey>({ list, items, editing, onEdit }: ItemRowsProps<K>) {
  useSignals();
  const { entity, nameOf, isListed, confirmDelete, editable = true, children } = list;
  const typed = Object.values(drafts.value).filter(
    (each) => each.key === entity && isUnsaved(each),
  );
  return (
    <OrderedList
      entity={entity}
      items={items}
      nameOf={(item) => nameOf(item, items)}
      isListed={isListed}
      confirmDelete={confirmDelete}
      onEdit={editable ? (item) => onEdit(item.id) : undefined}
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
