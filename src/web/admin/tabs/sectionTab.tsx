/** The settings of a section: heading, description, colors, beside the section in them. */
import Eye from "lucide-react/icons/eye";
import type { DocumentKey, SingletonKey } from "../../../schema/index.ts";
import type { PageContent } from "../../content.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { useEditedList } from "../data/editedValue.ts";
import { useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { EntityForm } from "../editor/Field.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { Preview, type PreviewProps } from "../editor/Preview.tsx";
import { SaveButton } from "../editor/SaveButton.tsx";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";

// The preview of a list in the settings of its section: the whole of a Preview subtab.

/** What is shown, and what is said instead while there is nothing. */
interface ListPreviewProps extends Pick<PreviewProps, "section" | "css" | "both"> {
  readonly entity: DocumentKey;
  readonly settings: SingletonKey;
  /** How many items at the most; all of them by default. */
  readonly shown?: number;
  /** How the first item gets here. */
  readonly empty: string;
}

/** Renders the preview, or what to do first. */
export function ListPreview(props: ListPreviewProps) {
  const { entity, settings: settingsKey, shown, empty, ...preview } = props;
  const list = useEditedList(entity);
  const settings = useDraft(settingsKey);
  const edited = list.edited || settings.dirty.length > 0;
  return (
    <WhenRead of={settings} what="the preview" words="Loading preview...">
      {() =>
        list.items.length === 0 ? (
          <Card title="Preview" flush>
            <EmptyState icon={Eye} title="Nothing to preview yet">
              {empty}
            </EmptyState>
          </Card>
        ) : (
          <Preview
            {...preview}
            content={{ [entity]: list.items.slice(0, shown), [settingsKey]: settings.values }}
            edited={edited}
          />
        )
      }
    </WhenRead>
  );
}

// Earlier versions of a list, pictured in the present settings of its section.

/** `<ListHistory entity="pressFeatures" settings="pressSettings" section="press" />` */
interface ListHistoryProps {
  readonly entity: DocumentKey;
  readonly settings: SingletonKey;
  readonly section: PreviewName;
}

/** Renders the button. */
export function ListHistory({ entity, settings, section }: ListHistoryProps) {
  const { value } = useEntity(settings);
  const pictured = value && { section, content: { [settings]: value } };
  return <HistoryButton entity={entity} {...pictured} />;
}

/** `content` is what the section reads besides its settings. */
interface SectionSettingsProps {
  readonly entity: SingletonKey;
  readonly title?: string;
  /** The words of the button; "Saving..." while it does. */
  readonly save?: string;
  readonly section?: PreviewName | undefined;
  readonly content?: PageContent;
  /** Saves by itself this long after the last change, in milliseconds. */
  readonly autosave?: number;
}

/** `<SectionSettings entity="pressSettings" section="press" content={{ pressFeatures }} />` */
export function SectionSettings(props: SectionSettingsProps) {
  const { entity, title = "Settings", save = "Save Settings", section, content, autosave } = props;
  const draft = useDraft(entity, autosave === undefined ? {} : { autosave });
  const shown = section === undefined ? {} : { section, content: content ?? {} };
  return (
    <div className={section ? "columns" : "stack"}>
      <Card title={title} actions={<HistoryButton entity={entity} {...shown} />}>
        <WhenRead of={draft} what="settings">
          {() => (
            <>
              <EntityForm draft={draft} />
              <div className="item-actions">
                <SaveButton drafts={[draft]}>{save}</SaveButton>
              </div>
            </>
          )}
        </WhenRead>
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
