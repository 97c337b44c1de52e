/** The preview of a list in the settings of its section: the whole of a Preview subtab. */
import Eye from "lucide-react/icons/eye";
import type { DocumentKey, SingletonKey } from "../../../schema/index.ts";
import { useDraft } from "../drafts/useDraft.ts";
import { useEditedList } from "../drafts/useEditedList.ts";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { Preview, type PreviewProps } from "./Preview.tsx";

/** What is shown, and what is said instead while there is nothing. */
export interface ListPreviewProps extends Pick<PreviewProps, "section" | "css" | "both"> {
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
