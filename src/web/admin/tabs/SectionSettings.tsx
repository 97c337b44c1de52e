/** The settings of a section: heading, description, colours, beside the section in them. */
import type { SingletonKey } from "../../../schema/index.ts";
import type { PageContent } from "../../content.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { useDraft } from "../drafts/useDraft.ts";
import { EntityForm } from "../editor/EntityForm.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { Preview } from "../editor/Preview.tsx";
import { Card } from "../parts/Card.tsx";
import { SaveButton } from "../parts/SaveButton.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";

/** `content` is what the section reads besides its settings. */
export interface SectionSettingsProps {
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
    <div className="columns">
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
