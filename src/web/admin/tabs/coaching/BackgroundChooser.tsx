/** The background of the coaching page's first screen; a choice saves at once (spec section 4). */
import { drafts } from "../../drafts/drafts.ts";
import { type Draft, useDraft } from "../../drafts/useDraft.ts";
import { ImagePicker } from "../../editor/ImagePicker.tsx";
import { Card } from "../../parts/Card.tsx";

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
