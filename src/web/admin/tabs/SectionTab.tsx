/** A section's tab, made from its declaration: list, settings, preview. */
import type { LucideIcon } from "lucide-react";
import Eye from "lucide-react/icons/eye";
import type { ComponentType } from "react";
import {
  type Collection,
  type DocumentKey,
  entities,
  type Entity,
  type EntityKey,
  type SingletonKey,
} from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { createPreviewHint } from "../../../schema/entities/sectionTab.ts";
import { type EditedList, useEditedList } from "../data/editedValue.ts";
import { useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { HistoryButton } from "../editor/tabButtons.tsx";
import { ItemList, type AnyListKey, type ListOptions } from "./ItemList.tsx";
import { Preview } from "../editor/Preview.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { type Subtab, Subtabs } from "../parts/Subtabs.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import { ExtraHead } from "./extras/ExtraHead.tsx";
import { WithSectionPreview, SectionSettings, useHasPreview } from "./SectionSettings.tsx";
import css from "./sectionTab.css" with { type: "text" };

interface SectionTabOptions<K extends DocumentKey> extends ListOptions<K> {
  /** The main action of an extra (an optional section), shown in the tab's head. */
  readonly Action?: ComponentType;
  /** A component above the list, for items that `isListed` leaves out. */
  readonly AboveList?: ComponentType;
  readonly BelowSettings?: ComponentType;
  /** Replaces the preview beside the list. */
  readonly SidePreview?: ComponentType<EditedList<K>>;
  /** CSS for the Preview subtab. If set, the subtab can show a desktop and a phone side by side. */
  readonly previewCss?: string;
  /** The key of the subtab that contains this section. Such a section has no head. */
  readonly parentSubtab?: string;
}

interface SurroundingTab {
  readonly entityKeys: readonly string[];
  readonly icon: LucideIcon;
}

/** A tab without custom parts: a list with settings, or a singleton. */
export function SectionTab({ tab }: { tab: SurroundingTab }) {
  const editedKeys = tab.entityKeys.filter(isEntityKey);
  const collectionKey = editedKeys.find((key) => entities[key].shape === "collection");
  const mainKey = assertDefined(collectionKey ?? editedKeys[0], "entity that a declared tab edits");
  return entities[mainKey].shape === "collection" ? (
    <SectionListTab key={mainKey} entity={mainKey as "statistics"} options={{}} icon={tab.icon} />
  ) : (
    <SingletonTab entity={mainKey as SingletonKey} />
  );
}

const isEntityKey = (key: string): key is EntityKey => Object.hasOwn(entities, key);

/** Returns a list's tab with custom parts: `createSectionTab("pressFeatures", { overrideFields })`. */
export function createSectionTab<K extends DocumentKey>(entity: K, options: SectionTabOptions<K>) {
  // TypeScript can't infer the options' type from a generic key.
  const listProps = { entity: entity as "statistics", options: options as SectionTabOptions<any> };
  return ({ tab }: { tab?: SurroundingTab }) => <SectionListTab {...listProps} icon={tab?.icon} />;
}

function SectionTabHead({
  entity,
  Action,
}: {
  entity: DocumentKey;
  Action?: ComponentType | undefined;
}) {
  const { section, extra, tab } = entities[entity] as Entity;
  if (extra === undefined) return <TabHead title={section} note={tab?.note} />;
  return <ExtraHead action={Action && <Action />} />;
}

function SingletonTab({ entity }: { entity: SingletonKey }) {
  useStylesheet(css);
  const { label } = entities[entity];
  return (
    <>
      <SectionTabHead entity={entity} />
      <SectionSettings entity={entity} title={label} saveLabel="Save" section={entity} />
    </>
  );
}

interface SectionListProps {
  readonly entity: AnyListKey;
  readonly options: SectionTabOptions<AnyListKey>;
  readonly icon?: LucideIcon | undefined;
}

function SectionListTab({ entity, options, icon }: SectionListProps) {
  useStylesheet(css);
  const { section, tab = {}, settingsKey } = entities[entity] as Collection;
  const { listSubtab = ["list", section], previewPosition = "beside" } = tab;
  const title = options.parentSubtab === undefined ? section : entities[entity].plural;
  const itemList = <SectionList {...{ entity, options, icon }} />;
  const otherSubtabs: Subtab[] = [
    ...(settingsKey === undefined
      ? []
      : [
          {
            key: "settings",
            label: tab.settings?.label ?? "Settings",
            panel: (
              <>
                <ListSettings entity={entity} settings={settingsKey as SingletonKey} />
                {options.BelowSettings && <options.BelowSettings />}
              </>
            ),
          },
        ]),
    ...(previewPosition === "inSubtab"
      ? [
          {
            key: "preview",
            label: "Preview",
            panel: <ListPreview entity={entity} options={options} />,
          },
        ]
      : []),
  ];
  return (
    <>
      {options.parentSubtab === undefined && (
        <SectionTabHead entity={entity} Action={options.Action} />
      )}
      {otherSubtabs.length === 0 ? (
        itemList
      ) : (
        <Subtabs
          label={title}
          tabs={[{ key: listSubtab[0], label: listSubtab[1], panel: itemList }, ...otherSubtabs]}
          {...(options.parentSubtab && { parentSubtab: options.parentSubtab })}
        />
      )}
    </>
  );
}

function SectionList({ entity, options, icon }: SectionListProps) {
  const { tab = {} } = entities[entity] as Collection;
  const { SidePreview, AboveList } = options;
  const editedList = useEditedList(entity);
  const itemList = (
    <ItemList {...{ entity, options, icon }} actions={<ListHistory entity={entity} />} />
  );
  if (SidePreview)
    return (
      <div className="columns stack gap-16">
        {itemList}
        {editedList.items.length > 0 && <SidePreview {...editedList} />}
      </div>
    );
  if ((tab.previewPosition ?? "beside") === "beside")
    return <WithSectionPreview entity={entity}>{itemList}</WithSectionPreview>;
  return (
    <>
      {AboveList && <AboveList />}
      {itemList}
    </>
  );
}

/** The list's History button. Versions are previewed with the section's current settings. */
function ListHistory({ entity }: { entity: AnyListKey }) {
  const { settingsKey } = entities[entity] as Collection;
  const isPreviewable = useHasPreview(entity);
  if (!isPreviewable) return <HistoryButton entity={entity} />;
  if (settingsKey === undefined) return <HistoryButton entity={entity} section={entity} />;
  return <HistoryWithSettings entity={entity} settings={settingsKey as SingletonKey} />;
}

interface ListSettingsProps {
  readonly entity: AnyListKey;
  readonly settings: SingletonKey;
}

function HistoryWithSettings({ entity, settings }: ListSettingsProps) {
  const { value } = useEntity(settings);
  const previewProps = value && { section: entity, content: { [settings]: value } };
  return <HistoryButton entity={entity} {...previewProps} />;
}

function ListSettings({ entity, settings }: ListSettingsProps) {
  const { tab = {} } = entities[entity] as Collection;
  const { items } = useEditedList(entity);
  const content = { [entity]: items.slice(0, tab.previewCount) };
  const autosaveMs = tab.settings?.autosaveDelayMs;
  return <SectionSettings {...{ entity: settings, section: entity, content, autosaveMs }} />;
}

function ListPreview({ entity, options }: SectionListProps) {
  const collection = entities[entity] as Collection;
  const { settingsKey, tab = {} } = collection;
  const { items, editedLabel } = useEditedList(entity);
  const draft = useDraft(settingsKey as SingletonKey);
  return (
    <AsyncContent state={draft} subject="the preview" loadingMessage="Loading preview...">
      {() =>
        items.length === 0 ? (
          <Card title="Preview" isFlush>
            <EmptyState icon={Eye} title="No preview yet">
              {createPreviewHint(collection)}
            </EmptyState>
          </Card>
        ) : (
          <Preview
            {...(options.previewCss !== undefined && {
              css: options.previewCss,
              canShowBoth: true,
            })}
            isInline
            section={entity}
            content={{
              [entity]: items.slice(0, tab.previewCount),
              [draft.entityKey]: draft.values,
            }}
            editedLabel={editedLabel || draft.dirtyFields.length > 0}
          />
        )
      }
    </AsyncContent>
  );
}
