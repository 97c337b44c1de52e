/** The Coaching tab (spec section 2): the hero of the coaching page and its transformations. */
import { initialValues } from "../../../schema/check.ts";
import { entities } from "../../../schema/index.ts";
import { drafts } from "../data/drafts.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { ImagePicker } from "../editor/ImagePicker.tsx";
import { Preview } from "../editor/Preview.tsx";
import { SaveButton } from "../editor/SaveButton.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import "./tabStyles.ts";
import { Transformations } from "./Transformations.tsx";

// The background of the coaching page's first screen; a choice saves at once (spec section 4).

/** Shows No Background and the uploads; the chosen one is marked Active. */
export function BackgroundChooser() {
  // A draft of its own: words that are still being typed stay where they are.
  const draft = useDraft("coachingHero", { part: "background", inBar: false });
  return (
    <Card title="Background Image" note="Saves at once">
      <ImagePicker
        id="coaching-background"
        label="Background Image"
        value={draft.values.backgroundImage}
        noneLabel="No Background"
        chosenLabel="Active"
        onChange={(url) => void saveAtOnce(draft, url)}
      />
    </Card>
  );
}

async function saveAtOnce(draft: Draft<"coachingHero">, url: string | null): Promise<void> {
  draft.set("backgroundImage", url);
  await draft.save();
  // Refused: the tiles show what is stored. Changed elsewhere: the owner is being asked.
  if (drafts.value[draft.id]?.phase !== "conflict") draft.discard();
}

// The words and the background of the coaching page's first screen (spec section 2).

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

/** Shows the two subtabs; the second has three of its own. */
export function CoachingTab() {
  return (
    <>
      <TabHead title="Coaching" note="The page for people who want to work with you." />
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
