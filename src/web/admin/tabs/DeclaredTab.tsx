/** A tab made from nothing but the declarations of what it edits. */
import "./tabStyles.ts";
import {
  type DocumentKey,
  entities,
  type EntityKey,
  type SingletonKey,
} from "../../../schema/index.ts";
import { Subtabs } from "../parts/Subtabs.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { BesidePreview } from "./BesidePreview.tsx";
import { DeclaredList } from "./DeclaredList.tsx";
import { DeclaredRecords } from "./DeclaredRecords.tsx";
import { SectionSettings } from "./SectionSettings.tsx";
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
