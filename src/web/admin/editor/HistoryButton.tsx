/** The way to a section's earlier states; what it opens is loaded then. */
import History from "lucide-react/icons/rotate-ccw-clock";
import { lazy, Suspense, useState } from "react";
import { entities, type EntityKey } from "../../../schema/index.ts";
import type { PageContent } from "../../content.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Loading } from "../parts/WhenRead.tsx";

const Revisions = lazy(async () => ({ default: (await import("./Revisions.tsx")).Revisions }));

/** `<HistoryButton entity="hero" section="hero" content={{}} />` */
export interface HistoryButtonProps {
  readonly entity: EntityKey;
  /** The section that shows it, and what else that section reads; no picture without. */
  readonly section?: PreviewName;
  readonly content?: PageContent;
  readonly fullScreen?: boolean;
}

/** Renders the button and its dialog. */
export function HistoryButton(props: HistoryButtonProps) {
  const [open, setOpen] = useState(false);
  const { label, plural, shape } = entities[props.entity];
  const what = shape === "collection" ? plural : label;
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <History size={16} aria-hidden="true" /> History
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Earlier versions of ${what}`}
        size="large"
      >
        {open && (
          <Suspense fallback={<Loading words="Loading earlier versions..." />}>
            <Revisions {...props} onRestored={() => setOpen(false)} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
