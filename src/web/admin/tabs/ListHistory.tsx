/** Earlier versions of a list, pictured in the present settings of its section. */
import type { DocumentKey, SingletonKey } from "../../../schema/index.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { useEntity } from "../queries/useEntity.ts";

/** `<ListHistory entity="pressFeatures" settings="pressSettings" section="press" />` */
export interface ListHistoryProps {
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
