/** The buttons of a tab: History and Save. */
import History from "lucide-react/icons/rotate-ccw-clock";
import { useState } from "react";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { Loading } from "../../ui/AsyncContent.tsx";
import type { PreviewedEntity, RevisionsProps } from "./Revisions.tsx";
import { saveDrafts } from "../data/saveDraft.ts";
import type { Draft } from "../data/useDraft.ts";

const LazyRevisions = createLazyComponent<RevisionsProps>({
  subject: "the earlier versions",
  loadCode: async () => (await import("./Revisions.tsx")).Revisions,
  placeholder: <Loading message="Loading earlier versions..." />,
});

/** `<HistoryButton entity="hero" section="hero" />` */
export function HistoryButton(props: PreviewedEntity) {
  const [isOpen, setOpen] = useState(false);
  const { label, plural, shape } = entities[props.entity];
  const subject = shape === "collection" ? plural : label;
  return (
    <>
      <Button variant="quiet" className="history" onClick={() => setOpen(true)}>
        <History size={16} aria-hidden="true" /> <span>History</span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Version history of ${subject}`}
        size="large"
      >
        {isOpen && <LazyRevisions {...props} onRestored={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

interface SaveButtonProps {
  readonly drafts: readonly Draft<any>[];
  /** The draft to save if none has changes. Default: the first draft. */
  readonly mainDraft?: Draft<any>;
  readonly children: string;
}

/** `<SaveButton drafts={[styles, hero]} mainDraft={hero}>Save Hero Content</SaveButton>` */
export function SaveButton({ drafts, mainDraft = drafts[0], children }: SaveButtonProps) {
  const isPending = drafts.some((draft) => draft.phase === "saving");
  const dirtyDrafts = drafts.filter((draft) => draft.dirtyFields.length > 0);
  return (
    <Button
      isPending={isPending}
      disabled={!mainDraft?.isReady}
      onClick={() =>
        void (dirtyDrafts.length > 0
          ? saveDrafts(dirtyDrafts.map(({ id }) => id))
          : mainDraft?.save({ isForced: true }))
      }
    >
      {isPending ? "Saving..." : children}
    </Button>
  );
}
