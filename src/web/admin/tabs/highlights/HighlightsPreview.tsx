/** The first highlights as a computer and a phone show them (spec section 2, "Highlights tab"). */
import { ListPreview } from "../../editor/ListPreview.tsx";

/** How many are shown (spec section 9). */
const SHOWN = 3;

/** Three columns on a computer; under one another on a phone, where visitors have the carousel. */
const CSS = `
.page .posters { grid-template-columns: repeat(3, minmax(0, 1fr)); }
@container page (max-width: 767px) {
  .page .posters { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0; padding: 0; overflow: visible; }
  .posters > li { width: auto; }
  .carousel-controls { display: none; }
}`;

/** Shows both sizes beside each other. */
export function HighlightsPreview() {
  return (
    <ListPreview
      section="highlights"
      entity="highlights"
      settings="highlightSettings"
      shown={SHOWN}
      empty="Add a highlight and it shows here."
      css={CSS}
      both
    />
  );
}
