/** The upright UPDATES button at the right edge of the home page (specification, section 2.3). */
import { useState } from "react";
import { useShell } from "../../shared/shell.ts";
import { useAlive } from "../../shared/useAlive.ts";
import { Toaster } from "../../ui/Toaster.tsx";
import { MailingListDialog } from "./MailingListDialog.tsx";

/** In sight once the page is scrolled far enough: inline/scrolling.ts says when. */
export function UpdatesTab() {
  const { site } = useShell();
  const isAlive = useAlive();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="updates-tab"
        aria-haspopup="dialog"
        data-wakes="The mailing list couldn't be opened"
        onClick={() => setOpen(true)}
      >
        UPDATES
      </button>
      {isAlive && (
        <>
          <MailingListDialog open={open} onClose={() => setOpen(false)} siteName={site.name} />
          <Toaster />
        </>
      )}
    </>
  );
}
