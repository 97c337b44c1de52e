/** Whose site it is: name, contact address, credit. */
import { LANGUAGES } from "../../../schema/languages.ts";
import { useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { SaveButton } from "../editor/SaveButton.tsx";
import { Card } from "../parts/Card.tsx";
import { Read } from "../../ui/Read.tsx";

export function SiteSettings() {
  const draft = useDraft("site");
  return (
    <Card title="Site settings">
      <Read of={draft} what="the site">
        {() => (
          <>
            <EntityForm draft={draft} fields={{ language: { choices: LANGUAGES } }} />
            <div className="dialog-actions">
              <SaveButton drafts={[draft]}>Save</SaveButton>
            </div>
          </>
        )}
      </Read>
    </Card>
  );
}
