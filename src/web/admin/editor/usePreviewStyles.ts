/** The styles a preview is drawn in: those stored, with every unsaved change over them. */
import { useSignals } from "@preact/signals-react/runtime";
import type { Content } from "../../../schema/index.ts";
import { useShell } from "../../shell.ts";
import { drafts } from "../drafts/drafts.ts";
import { useEntity } from "../queries/useEntity.ts";

/** Answers the twelve styles; a change that is not right yet is left out. */
export function usePreviewStyles(): Content<"styles"> {
  useSignals();
  const shell = useShell();
  const { value = shell.styles } = useEntity("styles");
  const edited = Object.values(drafts.value).filter((draft) => draft.key === "styles");
  return Object.assign({}, value, ...edited.map((draft) => draft.changes));
}
