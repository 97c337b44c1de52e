/** A tab's own save button: neutral, off until something changed. */
import { Button } from "../../ui/Button.tsx";
import type { Draft } from "../data/useDraft.ts";

/** Saves every draft given, in turn. */
interface SaveButtonProps {
  readonly drafts: readonly Draft<any>[];
  readonly children: string;
}

/** `<SaveButton drafts={[styles, hero]}>Save Hero Content</SaveButton>` */
export function SaveButton({ drafts, children }: SaveButtonProps) {
  const pending = drafts.some((draft) => draft.phase === "saving");
  const dirty = drafts.filter((draft) => draft.dirty.length > 0);
  const save = async () => {
    // Only one toast shows at a time, so save in turn: the last toast is then about the last write.
    for (const draft of dirty) await draft.save(); // oxlint-disable-line no-await-in-loop
  };
  return (
    <Button pending={pending} disabled={dirty.length === 0} onClick={() => void save()}>
      {pending ? "Saving..." : children}
    </Button>
  );
}
