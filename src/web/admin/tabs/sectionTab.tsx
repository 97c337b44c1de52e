/** The tab of a section that is a list: its items, its settings, and the section as visitors see it. */
import Eye from "lucide-react/icons/eye";
import type { ComponentType, ReactNode } from "react";
import type { DocumentKey, SingletonKey } from "../../../schema/index.ts";
import type { PageContent } from "../../shared/content.ts";
import type { PreviewName } from "../../previews/sectionPreviews.ts";
import { type EditedList, useEditedList } from "../data/editedValue.ts";
import { useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { EntityForm } from "../editor/Field.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { ItemList, type ItemListProps } from "../editor/ItemList.tsx";
import { Preview, type PreviewProps } from "../editor/Preview.tsx";
import { SaveButton } from "../editor/SaveButton.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { type Subtab, Subtabs } from "../parts/Subtabs.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { Read } from "../../ui/Read.tsx";
import css from "./sectionTab.css" with { type: "text" };

interface SectionTab<K extends DocumentKey> {
  readonly title: string;
  /** One line beside the title; without it no head is shown, as within another tab. */
  readonly note?: string;
  /** The key of the subtab that this stands in, if any. */
  readonly within?: string;
  /** The section that shows the list. */
  readonly section: PreviewName;
  /** The list; `key` is its subtab's in the address. */
  readonly list: Omit<ItemListProps<K>, "actions"> & {
    readonly key?: string;
    readonly label?: string;
  };
  /** The entity of the section's settings; `shown` is how many items are pictured beside them. */
  readonly settings?: {
    readonly entity: SingletonKey;
    readonly label?: string;
    readonly shown?: number;
    /** Saves by itself this long after the last change, in milliseconds. */
    readonly autosave?: number;
  };
  /** A subtab with the section alone: how many items, and how the first gets there. */
  readonly preview?: Pick<PreviewProps, "css" | "both"> & {
    readonly shown?: number;
    readonly empty: string;
  };
  /** What stands beside a list that has no settings. */
  readonly Beside?: ComponentType<EditedList<K>>;
}

/** `export const PressTab = sectionTab({ title: "Press", section: "press", list, settings, preview })` */
export function sectionTab<K extends DocumentKey>(tab: SectionTab<K>): () => ReactNode {
  const { title, note, within, list, settings, preview } = tab;
  const subtabs: Subtab[] = [
    { key: list.key ?? "list", label: list.label ?? title, panel: <List tab={tab} /> },
    ...(settings
      ? [{ key: "settings", label: settings.label ?? "Settings", panel: <Settings tab={tab} /> }]
      : []),
    ...(preview ? [{ key: "preview", label: "Preview", panel: <ListPreview tab={tab} /> }] : []),
  ];
  return function Tab() {
    useSheet(css);
    return (
      <>
        {note && <TabHead title={title} note={note} />}
        {subtabs.length === 1 ? (
          subtabs[0]!.panel
        ) : (
          <Subtabs label={title} tabs={subtabs} {...(within ? { within } : {})} />
        )}
      </>
    );
  };
}

function List<K extends DocumentKey>({ tab }: { tab: SectionTab<K> }) {
  const { list, Beside } = tab;
  const { key: _, label: __, ...props } = list;
  const edited = useEditedList(list.entity);
  const items = <ItemList {...props} actions={<ListHistory tab={tab} />} />;
  if (!Beside) return items;
  return (
    <div className="columns">
      {items}
      {edited.items.length > 0 && <Beside {...edited} />}
    </div>
  );
}

/** Earlier versions of the list, pictured in the present settings of its section. */
function ListHistory({ tab }: { tab: SectionTab<any> }) {
  const { section, list, settings } = tab;
  return settings ? (
    <HistoryInSettings entity={list.entity} settings={settings.entity} section={section} />
  ) : (
    <HistoryButton entity={list.entity} section={section} />
  );
}

interface HistoryInSettingsProps {
  readonly entity: DocumentKey;
  readonly settings: SingletonKey;
  readonly section: PreviewName;
}

function HistoryInSettings({ entity, settings, section }: HistoryInSettingsProps) {
  const { value } = useEntity(settings);
  const pictured = value && { section, content: { [settings]: value } };
  return <HistoryButton entity={entity} {...pictured} />;
}

function Settings({ tab: { section, list, settings } }: { tab: SectionTab<any> }) {
  const { entity, shown, autosave } = settings!;
  const { items } = useEditedList(list.entity);
  const content = { [list.entity]: items.slice(0, shown) };
  return <SectionSettings {...{ entity, section, content, autosave }} />;
}

/** `content` is what the section reads besides its settings; without a section there is no picture. */
interface SectionSettingsProps {
  readonly entity: SingletonKey;
  readonly title?: string;
  /** The words of the button; "Saving..." while it does. */
  readonly save?: string;
  readonly section?: PreviewName | undefined;
  readonly content?: PageContent;
  readonly autosave?: number | undefined;
}

/** The form of a section's settings, beside the section in them. */
export function SectionSettings(props: SectionSettingsProps) {
  const { entity, title = "Settings", save = "Save Settings", section, content, autosave } = props;
  const draft = useDraft(entity, { autosave });
  const shown = section === undefined ? {} : { section, content: content ?? {} };
  return (
    <div className={section ? "columns" : "stack"}>
      <Card title={title} actions={<HistoryButton entity={entity} {...shown} />}>
        <Read of={draft} what="settings">
          {() => (
            <>
              <EntityForm draft={draft} />
              <div className="item-actions">
                <SaveButton drafts={[draft]}>{save}</SaveButton>
              </div>
            </>
          )}
        </Read>
      </Card>
      {section && draft.ready && (
        <Preview
          section={section}
          content={{ ...content, [entity]: draft.values }}
          edited={draft.dirty.length > 0}
        />
      )}
    </div>
  );
}

/** The list in the settings of its section, or what to do first. */
function ListPreview({ tab: { section, list, settings, preview } }: { tab: SectionTab<any> }) {
  const { shown, empty, ...look } = preview!;
  const { items, edited } = useEditedList(list.entity);
  const draft = useDraft(settings!.entity);
  return (
    <Read of={draft} what="the preview" words="Loading preview...">
      {() =>
        items.length === 0 ? (
          <Card title="Preview" flush>
            <EmptyState icon={Eye} title="Nothing to preview yet">
              {empty}
            </EmptyState>
          </Card>
        ) : (
          <Preview
            {...look}
            inline
            section={section}
            content={{ [list.entity]: items.slice(0, shown), [settings!.entity]: draft.values }}
            edited={edited || draft.dirty.length > 0}
          />
        )
      }
    </Read>
  );
}
