/** A tab's save button, disabled until something changes. */
import { Button } from "../../ui/Button.tsx";
import { saveDrafts } from "../data/saveDraft.ts";
import type { Draft } from "../data/useDraft.ts";

/** Saves all given drafts with changes. */
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
