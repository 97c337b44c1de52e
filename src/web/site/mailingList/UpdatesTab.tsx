/** The upright UPDATES button at the right edge of the home page (specification, section 2.3). */
import { type ComponentType, useEffect, useState } from "react";
import { useShell } from "../../shared/shell.ts";
import { LazyToaster, preloadToaster } from "../../ui/LazyToaster.tsx";
import { NotFetched } from "../parts/NotFetched.tsx";
import type { MailingListDialogProps } from "./MailingListDialog.tsx";

const load = async () => (await import("./MailingListDialog.tsx")).MailingListDialog;

/** Shows the tab once the page is scrolled past 80 percent of the window's height. */
export function UpdatesTab() {
  const { site } = useShell();
  const [passed, setPassed] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<MailingListDialogProps>>();
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => whenPassed(setPassed), []);
  const show = async () => {
    const MailingListDialog = await load();
    setDialog(() => MailingListDialog);
    setOpen(true);
    setFailed(false);
  };
  return (
    <>
      {(passed || open) && (
        <button
          type="button"
          className="updates-tab"
          aria-haspopup="dialog"
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => void show().catch(() => setFailed(true))}
        >
          UPDATES
        </button>
      )}
      {Dialog && <Dialog open={open} onClose={() => setOpen(false)} siteName={site.name} />}
      {failed && (
        <NotFetched
          title="The mailing list couldn't be opened"
          onRetry={show}
          onClose={() => setFailed(false)}
        />
      )}
      <LazyToaster />
    </>
  );
}

/** Fetches ahead what a press will need. Failing does no harm yet: the press reports it. */
function preload(): void {
  load().catch(() => undefined);
  preloadToaster();
}

/** How far down the tab appears, as a part of the window's height (specification, section 9.2). */
const PART_OF_WINDOW = 0.8;

function whenPassed(tell: (passed: boolean) => void): () => void {
  const look = () => tell(window.scrollY > window.innerHeight * PART_OF_WINDOW);
  const away = new AbortController();
  const options = { passive: true, signal: away.signal };
  window.addEventListener("scroll", look, options);
  window.addEventListener("resize", look, options);
  look();
  return () => away.abort();
}
