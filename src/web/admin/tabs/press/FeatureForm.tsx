/** The form of a press feature, in the list itself (spec section 2, "Press tab"). */
import { useDraft } from "../../drafts/useDraft.ts";
import { EntityForm } from "../../editor/EntityForm.tsx";
import { ItemActions } from "../../editor/ItemActions.tsx";
import type { ItemFormProps } from "../../editor/ItemList.tsx";
import { LogoField } from "./LogoField.tsx";

/** Shows the fields; Save is off until name and subtitle are there (spec section 5). */
export function FeatureForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("pressFeatures", { item, onSaved: onClose, initial: { order: count } });
  const { name, subtitle } = draft.values;
  return (
    <>
      <div className="fields">
        <EntityForm draft={draft} only={["name", "subtitle", "description"]} />
        <LogoField draft={draft} />
      </div>
      <ItemActions
        draft={draft}
        onClose={onClose}
        save="Save"
        disabled={name.trim() === "" || subtitle.trim() === ""}
      />
    </>
  );
}
