/** A tab made from nothing but the declarations of what it edits. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { isPreviewName } from "../editor/isPreviewName.ts";
import { Preview } from "../editor/Preview.tsx";
import { EntityForm } from "../editor/EntityForm.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { useDraft } from "../drafts/useDraft.ts";
import { Card } from "../parts/Card.tsx";
import { SaveButton } from "../parts/SaveButton.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { DeclaredList } from "./DeclaredList.tsx";
import { DeclaredRecords } from "./DeclaredRecords.tsx";
import type { Tab } from "./tabs.ts";

/** Shows a form for one value, a list for many; several entities become subtabs. */
export function DeclaredTab({ tab }: { tab: Tab }) {
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
            label: subtabLabel(key, tab.label),
            panel: <Editor key={key} entity={key} />,
          }))}
        />
      )}
    </>
  );
}

function subtabLabel(key: EntityKey, title: string): string {
  if (key.endsWith("Settings")) return "Settings";
  const { label, shape } = entities[key];
  return shape === "singleton" ? label : label === title ? title : `${label}s`;
}

function Editor({ entity }: { entity: EntityKey }) {
  const { shape } = entities[entity];
  if (shape === "singleton") return <OneValue entity={entity as "hero"} />;
  return shape === "records" ? (
    <DeclaredRecords entity={entity} />
  ) : (
    <DeclaredList entity={entity as "statistics"} />
  );
}

function OneValue({ entity }: { entity: "hero" }) {
  const draft = useDraft(entity);
  const { label } = entities[entity];
  const section = isPreviewName(entity) ? entity : undefined;
  return (
    <div className={section ? "columns" : "stack"}>
      <Card title={label} actions={<SaveButton drafts={[draft]}>Save</SaveButton>}>
        <WhenRead of={draft} what={label.toLowerCase()}>
          {() => <EntityForm draft={draft} />}
        </WhenRead>
        <div className="card-foot">
          <HistoryButton entity={entity} {...(section ? { section } : {})} />
        </div>
      </Card>
      {section && draft.ready && (
        <Preview
          section={section}
          content={{ [entity]: draft.values }}
          edited={draft.dirty.length > 0}
        />
      )}
    </div>
  );
}
