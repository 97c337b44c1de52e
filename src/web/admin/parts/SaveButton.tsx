/** A tab's own save button: neutral, off until something changed (look/admin.md). */
import { Button } from "../../ui/Button.tsx";
import type { Draft } from "../drafts/useDraft.ts";

/** Saves every draft given, in turn. */
export interface SaveButtonProps {
  readonly drafts: readonly Draft<any>[];
  readonly children: string;
}

/** Renders the button. */
export function SaveButton({ drafts, children }: SaveButtonProps) {
  const pending = drafts.some((draft) => draft.phase === "saving");
  const dirty = drafts.filter((draft) => draft.dirty.length > 0);
  const save = async () => {
    // One toast is shown at a time: in turn, so that the last words are about the last write.
    for (const draft of dirty) await draft.save(); // oxlint-disable-line no-await-in-loop
  };
  return (
    <Button pending={pending} disabled={dirty.length === 0} onClick={() => void save()}>
      {pending ? "Saving..." : children}
    </Button>
  );
}
