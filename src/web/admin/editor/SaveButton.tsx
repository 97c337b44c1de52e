/** A tab's save button. */
import { Button } from "../../ui/Button.tsx";
import { saveDrafts } from "../data/saveDraft.ts";
import type { Draft } from "../data/useDraft.ts";

interface SaveButtonProps {
  readonly drafts: readonly Draft<any>[];
  /** Saved even without changes, if no draft has any. Default: the first draft. */
  readonly mainDraft?: Draft<any>;
  readonly children: string;
}

/** `<SaveButton drafts={[styles, hero]} mainDraft={hero}>Save Hero Content</SaveButton>` */
export function SaveButton({ drafts, mainDraft: main = drafts[0], children }: SaveButtonProps) {
  const pending = drafts.some((draft) => draft.phase === "saving");
  const dirty = drafts.filter((draft) => draft.dirtyFields.length > 0);
  return (
    <Button
      pending={pending}
      disabled={!main?.ready}
      onClick={() =>
        void (dirty.length > 0 ? saveDrafts(dirty.map(({ id }) => id)) : main?.saveAlways())
      }
    >
      {pending ? "Saving..." : children}
    </Button>
  );
}
