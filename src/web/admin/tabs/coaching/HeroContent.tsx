/** The words and the background of the coaching page's first screen (spec section 2). */
import { initialValues } from "../../../../schema/check.ts";
import { entities } from "../../../../schema/index.ts";
import { useDraft } from "../../drafts/useDraft.ts";
import { EntityForm } from "../../editor/EntityForm.tsx";
import { HistoryButton } from "../../editor/HistoryButton.tsx";
import { Preview } from "../../editor/Preview.tsx";
import { Card } from "../../parts/Card.tsx";
import { SaveButton } from "../../parts/SaveButton.tsx";
import { WhenRead } from "../../parts/WhenRead.tsx";
import { BackgroundChooser } from "./BackgroundChooser.tsx";

const WORDS = ["mainTitle", "subtitle", "tagline"] as const;

/** Shows the form, the background chooser and the live preview. */
export function HeroContent() {
  const draft = useDraft("coachingHero");
  return (
    <WhenRead of={draft} what="coaching hero">
      {() => (
        <div className="columns">
          <div className="stack">
            <Card
              title="Text"
              actions={<HistoryButton entity="coachingHero" section="coachingHero" fullScreen />}
            >
              <EntityForm draft={draft} only={WORDS} fields={placeholders} />
              <div className="item-actions">
                <SaveButton drafts={[draft]}>Save Hero Content</SaveButton>
              </div>
            </Card>
            <BackgroundChooser />
          </div>
          <Preview
            section="coachingHero"
            content={{ coachingHero: draft.values }}
            edited={draft.dirty.length > 0}
            fullScreen
          />
        </div>
      )}
    </WhenRead>
  );
}

const defaults = initialValues(entities.coachingHero.fields);

const placeholders = Object.fromEntries(
  WORDS.map((name) => [name, { placeholder: defaults[name] }]),
);
