/** The form of a highlight, in its dialog (spec section 2, "Highlights tab"). */
import { NEW } from "../../drafts/drafts.ts";
import { useDraft } from "../../drafts/useDraft.ts";
import { EntityForm } from "../../editor/EntityForm.tsx";
import { ItemActions } from "../../editor/ItemActions.tsx";
import type { ItemFormProps } from "../../editor/ItemList.tsx";
import { PictureOf } from "../../parts/PictureOf.tsx";

/** Shows the fields, the chosen picture and the button, off until title and image are there. */
export function HighlightForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("highlights", { item, onSaved: onClose, initial: { order: count } });
  const { title, imageUrl } = draft.values;
  const isNew = item === NEW;
  return (
    <>
      <EntityForm draft={draft} />
      {imageUrl && (
        <PictureOf url={imageUrl} alt="Preview of the selected image" className="chosen-picture" />
      )}
      <ItemActions
        draft={draft}
        onClose={onClose}
        save={isNew ? "Create Highlight" : "Update Highlight"}
        pending={isNew ? "Creating..." : "Updating..."}
        disabled={title.trim() === "" || imageUrl === ""}
      />
    </>
  );
}
