/** The form of a new transformation, in its dialog (spec sections 2 and 5). */
import type { Item } from "../../../../schema/index.ts";
import { useDraft } from "../../drafts/useDraft.ts";
import { EntityForm } from "../../editor/EntityForm.tsx";
import { ItemActions } from "../../editor/ItemActions.tsx";
import type { ItemFormProps } from "../../editor/ItemList.tsx";

/** Shows the picker; saving without a picture says "Image is required" and sends nothing. */
export function TransformationForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("transformations", {
    item,
    onSaved: onClose,
    initial: { order: count },
    toBody,
  });
  return (
    <>
      <EntityForm draft={draft} only={["imageUrl"]} />
      <ItemActions draft={draft} onClose={onClose} save="Save Transformation" />
    </>
  );
}

function toBody({ imageUrl, order }: Item<"transformations">) {
  return { imageUrl, order };
}
