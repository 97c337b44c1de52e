/** A list made from its declaration: rows, Add New on top, the form of a row under it. */
import LayoutList from "lucide-react/icons/layout-list";
import { clientFields } from "../../../schema/check.ts";
import { entities, type Item } from "../../../schema/index.ts";
import { useDraft } from "../drafts/useDraft.ts";
import { EntityForm } from "../editor/EntityForm.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { ItemActions } from "../editor/ItemActions.tsx";
import { type ItemFormProps, ItemList } from "../editor/ItemList.tsx";

/** Stands for any list whose items carry their place; "statistics" only types it. */
type ListKey = "statistics";

/** Shows the list of an entity. */
export function DeclaredList({ entity }: { entity: ListKey }) {
  const label = entities[entity].label.toLowerCase();
  return (
    <ItemList
      entity={entity}
      title={`All ${label}s`}
      what={`${label}s`}
      add="Add New"
      empty={{ icon: LayoutList, title: `No ${label}s yet` }}
      nameOf={(item) => nameOf(entity, item)}
      confirmDelete={`Are you sure you want to delete this ${label}?`}
      actions={<HistoryButton entity={entity} />}
      Form={ItemForm}
    >
      {(item) => wordsOf(entity, item).map((words) => <span key={words}>{words}</span>)}
    </ItemList>
  );
}

function ItemForm({ entity, item, count, onClose }: ItemFormProps) {
  const draft = useDraft(entity as ListKey, { item, onSaved: onClose, initial: { order: count } });
  return (
    <>
      <EntityForm draft={draft} />
      <ItemActions draft={draft} onClose={onClose} />
    </>
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
