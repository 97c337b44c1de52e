/** The History button of a section. The code of its dialog is loaded when it opens. */
import History from "lucide-react/icons/rotate-ccw-clock";
import { useState } from "react";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { Loading } from "../../ui/AsyncContent.tsx";
import type { PreviewedEntity, RevisionsProps } from "./Revisions.tsx";

const LazyRevisions = createLazyComponent<RevisionsProps>({
  subject: "the earlier versions",
  loadCode: async () => (await import("./Revisions.tsx")).Revisions,
  placeholder: <Loading message="Loading earlier versions..." />,
});

/** `<HistoryButton entity="hero" section="hero" />` */
export function HistoryButton(props: PreviewedEntity) {
  const [open, setOpen] = useState(false);
  const { label, plural, shape } = entities[props.entity];
  const subject = shape === "collection" ? plural : label;
  return (
    <>
      <Button variant="quiet" className="history" onClick={() => setOpen(true)}>
        <History size={16} aria-hidden="true" /> <span>History</span>
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Version history of ${subject}`}
        size="large"
      >
        {open && <LazyRevisions {...props} onRestored={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}
