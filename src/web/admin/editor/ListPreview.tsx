/** The preview of a list in the settings of its section: the whole of a Preview subtab. */
import Eye from "lucide-react/icons/eye";
import type { PageContent } from "../../content.ts";
import type { EditedList } from "../drafts/useEditedList.ts";
import type { Draft } from "../drafts/useDraft.ts";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { Preview, type PreviewProps } from "./Preview.tsx";

/** `content` holds the items shown; `empty` says how the first one gets here. */
export interface ListPreviewProps extends Pick<PreviewProps, "section" | "css" | "both"> {
  readonly list: EditedList<any>;
  readonly settings: Draft<any>;
  readonly content: PageContent;
  readonly empty: string;
}

/** Renders the preview, or what to do first. */
export function ListPreview({ list, settings, content, empty, ...preview }: ListPreviewProps) {
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
            content={{ ...content, [settings.key]: settings.values }}
            edited={edited}
          />
        )
      }
    </WhenRead>
  );
}
