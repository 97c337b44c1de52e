/** A list with everything around it: Add, empty and loading words, rows, and the form of one item. */
import { useSignals } from "@preact/signals-react/runtime";
import { type LucideIcon, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { DocumentKey, Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { drafts, isUnsaved, NEW } from "../drafts/drafts.ts";
import { Badge } from "../parts/Badge.tsx";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { useEntity } from "../queries/useEntity.ts";
import { OrderedList } from "./OrderedList.tsx";

/** The form of one item: `item` is its id or NEW, `count` how many there are. */
export interface ItemFormProps {
  readonly item: string;
  readonly count: number;
  readonly onClose: () => void;
}

/** What is said around the list. */
export interface ItemListProps<K extends DocumentKey> {
  readonly entity: K;
  readonly title: string;
  /** The items in "Loading …..." and "Couldn't load …". */
  readonly what: string;
  /** The button that opens the form of a new item. */
  readonly add: string;
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly help?: string };
  readonly nameOf: (item: Item<K>) => string;
  readonly confirmDelete?: string | undefined;
  readonly form: (props: ItemFormProps) => ReactNode;
  /** The form opens in a dialog of this title; else on top of the list, or under its row. */
  readonly dialogTitle?: (isNew: boolean) => string;
  /** False where an item can only be moved and deleted. */
  readonly editable?: boolean;
  /** Further buttons in the head, such as History. */
  readonly actions?: ReactNode;
  readonly children: (item: Item<K>) => ReactNode;
}

/** `<ItemList entity="statistics" title="All statistics" add="Add New" form={…}>{(item) => …}</ItemList>` */
export function ItemList<K extends DocumentKey>(props: ItemListProps<K>) {
  const { entity, title, add, actions, dialogTitle, form } = props;
  const read = useEntity(entity);
  const items = (read.value ?? []) as unknown as readonly (Item<K> & { id: string })[];
  const [open, setOpen] = useState<string | null>(null);
  const onClose = () => setOpen(null);
  const shownForm = open !== null && form({ item: open, count: items.length, onClose });
  const button = (primary: boolean) => (
    <Button
      variant={primary ? "primary" : "neutral"}
      disabled={open === NEW}
      onClick={() => setOpen(NEW)}
    >
      <Plus size={16} aria-hidden="true" /> {add}
    </Button>
  );
  const isEmpty = read.value !== undefined && items.length === 0;
  const head = (
    <>
      {actions}
      {!isEmpty && button(false)}
    </>
  );
  return (
    <Card title={title} note={read.value && items.length} actions={head} flush>
      {dialogTitle ? (
        <Dialog open={open !== null} onClose={onClose} title={dialogTitle(open === NEW)}>
          {shownForm}
        </Dialog>
      ) : (
        open === NEW && <div className="row-form">{shownForm}</div>
      )}
      <WhenRead of={read} what={props.what}>
        {() =>
          isEmpty ? (
            <Nothing
              empty={props.empty}
              hidden={open === NEW && !dialogTitle}
              action={button(true)}
            />
          ) : (
            <Rows
              {...props}
              items={items}
              onOpen={(id) => setOpen(open === id ? null : id)}
              open={dialogTitle || open === null ? null : { id: open, form: shownForm }}
            />
          )
        }
      </WhenRead>
    </Card>
  );
}

interface NothingProps {
  readonly empty: ItemListProps<any>["empty"];
  readonly hidden: boolean;
  readonly action: ReactNode;
}

function Nothing({ empty: { icon, title, help }, hidden, action }: NothingProps) {
  return hidden ? null : (
    <EmptyState icon={icon} title={title} action={action}>
      {help}
    </EmptyState>
  );
}

interface RowsProps<K extends DocumentKey> extends ItemListProps<K> {
  readonly items: readonly (Item<K> & { id: string })[];
  readonly onOpen: (id: string) => void;
  readonly open: { readonly id: string; readonly form: ReactNode } | null;
}

function Rows<K extends DocumentKey>(props: RowsProps<K>) {
  useSignals();
  const { entity, items, nameOf, confirmDelete, editable = true, onOpen, open, children } = props;
  const isTyped = (id: string) =>
    Object.values(drafts.value).some(
      (draft) => draft.key === entity && draft.item === id && isUnsaved(draft),
    );
  return (
    <OrderedList
      entity={entity}
      items={items}
      nameOf={nameOf}
      confirmDelete={confirmDelete}
      onEdit={editable ? (item) => onOpen(item.id) : undefined}
      editing={open}
    >
      {(item) => (
        <>
          {children(item)}
          {isTyped(item.id) && <Badge tone="warn">Unsaved</Badge>}
        </>
      )}
    </OrderedList>
  );
}
