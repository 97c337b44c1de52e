/** A tab's own save button: neutral, off until something changed. */
import { Button } from "../../ui/Button.tsx";
import { saveDrafts } from "../data/saveDraft.ts";
import type { Draft } from "../data/useDraft.ts";

/** Saves every draft given that isn't stored. */
interface SaveButtonProps {
  readonly drafts: readonly Draft<any>[];
  readonly children: string;
}

/** `<SaveButton drafts={[styles, hero]}>Save Hero Content</SaveButton>` */
export function SaveButton({ drafts, children }: SaveButtonProps) {
  const pending = drafts.some((draft) => draft.phase === "saving");
  const dirty = drafts.filter((draft) => draft.dirty.length > 0);
  return (
    <Button
      pending={pending}
      disabled={dirty.length === 0}
      onClick={() => void saveDrafts(dirty.map(({ id }) => id))}
    >
      {pending ? "Saving..." : children}
    </Button>
  );
}
