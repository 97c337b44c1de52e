/** The way to a section's earlier states; what it opens is loaded then. */
import History from "lucide-react/icons/rotate-ccw-clock";
import { lazy, Suspense, useState } from "react";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Loading } from "../parts/WhenRead.tsx";
import type { Pictured } from "./Revisions.tsx";

const Revisions = lazy(async () => ({ default: (await import("./Revisions.tsx")).Revisions }));

/** `<HistoryButton entity="hero" section="hero" />`: the button and its dialog. */
export function HistoryButton(props: Pictured) {
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
