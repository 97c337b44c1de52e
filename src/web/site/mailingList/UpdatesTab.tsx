/** The upright UPDATES button at the right edge of the home page (specification, section 2.3). */
import { useShell } from "../../shared/shell.ts";

/** In sight once the page is scrolled far enough (inline/scrolling.ts); inline/mailingList.ts opens the dialog. */
export function UpdatesTab() {
  const { site } = useShell();
  return (
    <button type="button" className="updates-tab" aria-haspopup="dialog" data-site={site.name}>
      UPDATES
    </button>
  );
}
