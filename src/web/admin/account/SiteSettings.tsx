/** The site's identity: name, contact address, credit. */
import { findTranslationLanguage, LANGUAGES } from "../../../schema/core/languages.ts";
import { useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { SaveButton } from "../editor/tabButtons.tsx";
import { Card } from "../parts/Card.tsx";
import { AsyncContent } from "../../ui/AsyncContent.tsx";

export function SiteSettings() {
  const draft = useDraft("site");
  return (
    <Card title="Site settings">
      <AsyncContent state={draft} subject="the site">
        {() => (
          <>
            <EntityForm
              draft={draft}
              fields={{
                language: {
                  choices: LANGUAGES,
                  hint: describeLanguageSupport(draft.values.language),
                },
              }}
            />
            <div className="actions">
              <SaveButton drafts={[draft]}>Save</SaveButton>
            </div>
          </>
        )}
      </AsyncContent>
    </Card>
  );
}

function describeLanguageSupport(language: string): string {
  const label = LANGUAGES.find(({ value }) => value === language)?.label ?? language;
  const isTranslated = findTranslationLanguage(language) !== "en" || /^en\b/.test(language);
  return isTranslated
    ? `Buttons and the privacy policy are shown in ${label}.`
    : `Buttons and the privacy policy are shown in English. They aren't available in ${label} yet.`;
}
