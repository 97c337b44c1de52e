/** Whose site it is: name, contact address, credit. */
import { useDraft } from "../drafts/useDraft.ts";
import { EntityForm } from "../editor/EntityForm.tsx";
import { ItemActions } from "../editor/ItemActions.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";

/** Renders the form from the declaration of the site. */
export function SiteSettings({ onDone }: { onDone: () => void }) {
  const draft = useDraft("site", { inBar: false, onSaved: onDone });
  return (
    <WhenRead of={draft} what="the site">
      {() => (
        <>
          <EntityForm draft={draft} />
          <ItemActions
            draft={draft}
            onClose={onDone}
            save="Save"
            disabled={draft.dirty.length === 0}
          />
        </>
      )}
    </WhenRead>
  );
}
