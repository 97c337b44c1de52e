/** The upright UPDATES button at the right edge of the home page (spec section 2). */
import { lazy, Suspense, useEffect, useState } from "react";
import { LazyToaster, preloadToaster } from "../../ui/LazyToaster.tsx";
import { useShell } from "../../useShell.ts";

const load = () => import("./MailingListDialog.tsx");
const MailingListDialog = lazy(async () => ({ default: (await load()).MailingListDialog }));

/** Shows the tab once the page is scrolled past 80 percent of the window's height. */
export function UpdatesTab() {
  const { site } = useShell();
  const [passed, setPassed] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => whenPassed(setPassed), []);
  const press = () => {
    preload();
    setWanted(true);
    setOpen(true);
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
          onClick={press}
        >
          UPDATES
        </button>
      )}
      {wanted && (
        <Suspense>
          <MailingListDialog open={open} onClose={() => setOpen(false)} siteName={site.name} />
        </Suspense>
      )}
      <LazyToaster />
    </>
  );
}

/** Fetches what a press will need. Failing is no harm yet: the press tries again. */
function preload(): void {
  load().catch(() => undefined);
  preloadToaster();
}

/** How far down the tab appears, as a part of the window's height (spec section 9). */
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
