/** A list made from its declaration: rows, Add New on top, the form of a row under it. */
import { LayoutList, Plus } from "lucide-react";
import { useState } from "react";
import { clientFields } from "../../../schema/check.ts";
import { entities, type Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { NEW } from "../drafts/drafts.ts";
import { useDraft } from "../drafts/useDraft.ts";
import { EntityForm } from "../editor/EntityForm.tsx";
import { ItemActions } from "../editor/ItemActions.tsx";
import { OrderedList } from "../editor/OrderedList.tsx";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { useEntity } from "../queries/useEntity.ts";

/** Stands for any list whose items carry their place; "statistics" only types it. */
type ListKey = "statistics";

/** Shows the list of an entity. */
export function DeclaredList({ entity }: { entity: ListKey }) {
  const read = useEntity(entity);
  const [open, setOpen] = useState<string | null>(null);
  const { label } = entities[entity];
  const close = () => setOpen(null);
  const add = (
    <Button onClick={() => setOpen(NEW)} disabled={open === NEW}>
      <Plus size={16} aria-hidden="true" /> Add New
    </Button>
  );
  return (
    <Card title={`All ${label.toLowerCase()}s`} note={read.value?.length} actions={add} flush>
      <WhenRead of={read} what={`${label.toLowerCase()}s`}>
        {() => (
          <>
            {open === NEW && (
              <ItemForm entity={entity} item={NEW} order={read.value!.length} onClose={close} />
            )}
            {read.value!.length === 0 && open !== NEW && (
              <EmptyState icon={LayoutList} title={`No ${label.toLowerCase()}s yet`} action={add} />
            )}
            <OrderedList
              entity={entity}
              items={read.value!}
              nameOf={(item) => nameOf(entity, item)}
              confirmDelete={`Are you sure you want to delete this ${label.toLowerCase()}?`}
              onEdit={(item) => setOpen(open === item.id ? null : item.id)}
              editing={
                open === null
                  ? null
                  : { id: open, form: <ItemForm entity={entity} item={open} onClose={close} /> }
              }
            >
              {(item) => wordsOf(entity, item).map((words) => <span key={words}>{words}</span>)}
            </OrderedList>
          </>
        )}
      </WhenRead>
    </Card>
  );
}

interface ItemFormProps {
  readonly entity: ListKey;
  readonly item: string;
  readonly order?: number;
  readonly onClose: () => void;
}

function ItemForm({ entity, item, order = 0, onClose }: ItemFormProps) {
  const draft = useDraft(entity, { item, onSaved: onClose, initial: { order } });
  return (
    <div className="row-form">
      <EntityForm draft={draft} />
      <ItemActions draft={draft} onClose={onClose} />
    </div>
  );
}

function nameOf(entity: ListKey, item: Item<ListKey>): string {
  return wordsOf(entity, item)[0] ?? `Number ${item.order + 1}`;
}

/** What is written in an item's fields of one line. */
function wordsOf(entity: ListKey, item: Item<ListKey>): string[] {
  const values = item as Readonly<Record<string, unknown>>;
  const lines = clientFields(entities[entity].fields).filter(([, field]) => field.input === "text");
  return lines.map(([name]) => String(values[name] ?? "")).filter((words) => words !== "");
}
