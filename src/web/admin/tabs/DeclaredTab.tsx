/** A tab made from nothing but the declarations of what it edits. */
import { useSignals } from "@preact/signals-react/runtime";
import { useQueries } from "@tanstack/react-query";
import Inbox from "lucide-react/icons/inbox";
import LayoutList from "lucide-react/icons/layout-list";
import Trash2 from "lucide-react/icons/trash";
import { type ReactNode, useEffect, useState } from "react";
import { clientFields } from "../../../schema/check.ts";
import { type Field, TEXT } from "../../../schema/fields.ts";
import {
  type DocumentKey,
  entities,
  type Entity,
  type EntityKey,
  type Item,
  type SingletonKey,
} from "../../../schema/index.ts";
import { homeSectionOf } from "../../previews/sectionPreviews.ts";
import { editedValue } from "../data/editedValue.ts";
import { deleteWithUndo } from "../data/listWrites.ts";
import { entityQuery, useEntity } from "../data/useEntity.ts";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { ItemList } from "../editor/ItemList.tsx";
import rowsCss from "../editor/OrderedList.css" with { type: "text" };
import { Preview } from "../editor/Preview.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { Read } from "../../ui/Read.tsx";
import css from "./sectionTab.css" with { type: "text" };
import { SectionSettings } from "./sectionTab.tsx";

/** What the tab is called, and the entities that it edits. */
interface DeclaredTabProps {
  readonly label: string;
  readonly note?: string;
  readonly edits: readonly EntityKey[];
}

/** A form for one value, a list for many; several entities become subtabs. */
export function DeclaredTab({ tab }: { tab: DeclaredTabProps }) {
  useSheet(css);
  const editable = tab.edits.filter((key) => !("parent" in entities[key] && entities[key].parent));
  return (
    <>
      <TabHead title={tab.label} {...(tab.note ? { note: tab.note } : {})} />
      {editable.length === 1 ? (
        <Editor entity={editable[0]!} />
      ) : (
        <Subtabs
          label={tab.label}
          tabs={editable.map((key) => ({
            key,
            label: subtabLabel(key, tab),
            panel: <Editor key={key} entity={key} />,
          }))}
        />
      )}
    </>
  );
}

function subtabLabel(key: EntityKey, { edits }: DeclaredTabProps): string {
  const others = edits.map((other): Entity => entities[other]);
  if (others.some((other) => other.shape === "collection" && other.settings === key))
    return "Settings";
  const { label, plural, shape } = entities[key];
  return shape === "singleton" ? label : plural;
}

function Editor({ entity }: { entity: EntityKey }) {
  const { shape, label } = entities[entity];
  if (shape === "records") return <DeclaredRecords entity={entity} />;
  return (
    <BesidePreview entity={entity as DocumentKey}>
      {shape === "singleton" ? (
        <SectionSettings entity={entity as SingletonKey} title={label} save="Save" />
      ) : (
        <DeclaredList entity={entity as "statistics"} />
      )}
    </BesidePreview>
  );
}

/** The editor beside the section of the home page that shows its entity; alone without one. */
function BesidePreview({ entity, children }: { entity: DocumentKey; children: ReactNode }) {
  const reads = useReadsOfSection(entity);
  return (
    <div className={reads ? "columns" : undefined}>
      {children}
      {reads && <SectionPreview entity={entity} reads={reads} />}
    </div>
  );
}

/** All that the entity's section reads, once its code is there. */
function useReadsOfSection(entity: DocumentKey): readonly DocumentKey[] | undefined {
  const [reads, setReads] = useState<readonly DocumentKey[]>();
  useEffect(() => {
    let left = false;
    const note = (section: { reads: readonly unknown[] } | undefined) =>
      left || setReads(section?.reads as readonly DocumentKey[] | undefined);
    // Without the section's code the editor still works.
    homeSectionOf(entity).then(note, () => undefined);
    return () => {
      left = true;
    };
  }, [entity]);
  return reads;
}

function SectionPreview({ entity, reads }: { entity: DocumentKey; reads: readonly DocumentKey[] }) {
  useSignals();
  const read = useQueries({ queries: reads.map((key) => entityQuery(key)) });
  const values = read.map(({ data }, at) => data && editedValue(reads[at]!, data.value));
  if (values.some((value) => value === undefined)) return null;
  const content = Object.fromEntries(reads.map((key, at) => [key, values[at]!.value]));
  if (Array.isArray(content[entity]) && content[entity].length === 0) return null;
  return (
    <Preview section={entity} content={content} edited={values.some((value) => value!.edited)} />
  );
}

/** Stands for any list whose items carry their place; "statistics" only types it. */
type ListKey = "statistics";

/** A list: rows, Add New on top, the form of a row under it. */
function DeclaredList({ entity }: { entity: ListKey }) {
  const label = entities[entity].label.toLowerCase();
  const plural = entities[entity].plural.toLowerCase();
  return (
    <ItemList
      entity={entity}
      title={`All ${plural}`}
      what={plural}
      add="Add New"
      empty={{ icon: LayoutList, title: `No ${plural} yet` }}
      nameOf={(item) => nameOf(entity, item)}
      confirmDelete={`Are you sure you want to delete this ${label}?`}
      actions={<HistoryButton entity={entity} />}
    >
      {(item) => wordsOf(entity, item).map((words) => <span key={words}>{words}</span>)}
    </ItemList>
  );
}

function nameOf(entity: ListKey, item: Item<ListKey>): string {
  return wordsOf(entity, item)[0] ?? `Number ${item.order + 1}`;
}

/** What is written in an item's fields of one line. */
function wordsOf(entity: ListKey, item: Item<ListKey>): string[] {
  const values = item as Readonly<Record<string, unknown>>;
  const lines = clientFields(entities[entity].fields).filter(([, field]) => field.kind === TEXT);
  return lines.map(([name]) => String(values[name] ?? "")).filter((words) => words !== "");
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** What visitors sent, newest first, to read and delete. */
export function DeclaredRecords({ entity }: { entity: EntityKey }) {
  useSheet(rowsCss);
  const read = useEntity(entity);
  const plural = entities[entity].plural.toLowerCase();
  const rows = (read.value ?? []) as unknown as readonly Row[];
  const fields = Object.entries(entities[entity].fields as Readonly<Record<string, Field>>).filter(
    ([, field]) => !field.kind.isUnseen,
  );
  return (
    <Card title={`All ${plural}`} note={rows.length} flush>
      <Read of={read} what={plural}>
        {() => (
          <ul className="rows">
            {rows.length === 0 && <EmptyState icon={Inbox} title={`No ${plural} yet`} />}
            {rows.map((row) => (
              <li key={row.id} className="row">
                <div className="row-line">
                  <div className="row-content">
                    {fields
                      .map(([name]) => String(row[name] ?? ""))
                      .filter(Boolean)
                      .join(" · ")}
                  </div>
                  <IconButton
                    icon={Trash2}
                    label={`Delete ${String(row[fields[0]?.[0] ?? "id"])}`}
                    onClick={() => remove(entity, row)}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </Read>
    </Card>
  );
}

function remove(entity: EntityKey, row: Row): void {
  const words = `Are you sure you want to delete this ${entities[entity].label.toLowerCase()}?`;
  if (window.confirm(words)) void deleteWithUndo(entity, row);
}
