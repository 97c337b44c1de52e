/** The Coaching tab: the coaching page's hero and its transformations. */
import { entities } from "../../../schema/index.ts";
import { findDraft, isUnsaved } from "../data/drafts.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { HistoryButton, SaveButton } from "../editor/tabButtons.tsx";
import { ImagePicker } from "../editor/ImagePicker.tsx";
import { Preview } from "../editor/Preview.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import css from "./sectionTab.css" with { type: "text" };
import { createSectionTab } from "./SectionTab.tsx";

const Transformations = createSectionTab("transformations", {
  parentSubtab: "transformations",
  // The form asks for the person's consent only if it has a picture from before the transformation.
  overrideFields: ({ values }) => ({ consent: { isHidden: values.beforeUrl === null } }),
});

export function CoachingTab() {
  useStylesheet(css);
  return (
    <>
      <TabHead title="Coaching" note={entities.coachingHero.tab?.note} />
      <Subtabs
        label="Coaching"
        tabs={[
          { key: "hero", label: "Hero Content", panel: <HeroContent /> },
          { key: "transformations", label: "Transformations", panel: <Transformations /> },
        ]}
      />
    </>
  );
}

function HeroContent() {
  const draft = useDraft("coachingHero");
  return (
    <AsyncContent state={draft} subject="coaching hero">
      {() => (
        <div className="columns stack gap-16">
          <div className="stack gap-16">
            <Card
              title="Text"
              actions={<HistoryButton entity="coachingHero" section="coachingHero" isFullScreen />}
            >
              <EntityForm draft={draft} fieldNames={TEXT_FIELDS} />
              <div className="actions">
                <SaveButton drafts={[draft]}>Save Hero Content</SaveButton>
              </div>
            </Card>
            <BackgroundChooser />
          </div>
          <Preview
            section="coachingHero"
            content={{ coachingHero: draft.values }}
            editedLabel={draft.dirtyFields.length > 0}
            isFullScreen
          />
        </div>
      )}
    </AsyncContent>
  );
}

const TEXT_FIELDS = ["mainTitle", "subtitle", "tagline", "buttonText", "buttonLink"] as const;

function BackgroundChooser() {
  // A separate draft, so that saving the background doesn't save unsaved text too.
  const draft = useDraft("coachingHero", { part: "background", isInSaveBar: false });
  return (
    <Card title="Background Image" note="Saved as soon as you choose an image">
      <ImagePicker
        id="coaching-background"
        label="Background Image"
        value={draft.values.backgroundImage}
        noneLabel="No Background"
        chosenLabel="Active"
        onChange={(url) => void saveBackground(draft, url)}
      />
    </Card>
  );
}

async function saveBackground(draft: Draft<"coachingHero">, url: string | null): Promise<void> {
  draft.setField("backgroundImage", url);
  // While a save is running, `saveLatestChoice` saves the new choice after it.
  if (findDraft(draft.id)?.phase !== "saving") await saveLatestChoice(draft);
}

async function saveLatestChoice(draft: Draft<"coachingHero">): Promise<void> {
  const isSaved = await draft.save();
  const remainingDraft = findDraft(draft.id);
  if (isSaved && remainingDraft && isUnsaved(remainingDraft)) return saveLatestChoice(draft);
  // If the server refuses the choice, the stored image is shown as chosen again. A dialog resolves a conflict.
  if (remainingDraft?.phase !== "conflict") draft.discard();
}
