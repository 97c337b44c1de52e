/** The Highlights tab: posters, the settings of their section, the preview. */
import Sparkles from "lucide-react/icons/sparkles";
import type { Draft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { sectionTab } from "./sectionTab.tsx";

/** Three columns on a computer; under one another on a phone, where visitors have the carousel. */
const PREVIEW_CSS = `
.page .posters { grid-template-columns: repeat(3, minmax(0, 1fr)); }
@container page (max-width: 767px) {
  .page .posters { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0; padding: 0; overflow: visible; }
  .posters > li { width: auto; }
  .carousel-controls { display: none; }
}`;

export const HighlightsTab = sectionTab({
  title: "Highlights",
  note: "Posters of your best moments.",
  section: "highlights",
  list: {
    entity: "highlights",
    title: "All highlights",
    what: "highlights",
    add: "Add Highlight",
    empty: {
      icon: Sparkles,
      title: "No highlights yet",
      help: "Add a picture with a title: a show, a shoot, a night to remember.",
    },
    nameOf: ({ title }) => title,
    dialogTitle: (isNew) => (isNew ? "Add New Highlight" : "Edit Highlight"),
    form: {
      Fields: HighlightFields,
      needs: ["title", "imageUrl"],
      save: (isNew) => (isNew ? "Create Highlight" : "Update Highlight"),
      saving: (isNew) => (isNew ? "Creating..." : "Updating..."),
    },
    children: ({ imageUrl, title, subtitle }) => (
      <>
        <PictureOf url={imageUrl} />
        <span className="row-words">
          <strong>{title}</strong>
          {subtitle && <span className="quiet">{subtitle}</span>}
        </span>
      </>
    ),
  },
  settings: { entity: "highlightSettings" },
  preview: { shown: 3, empty: "Add a highlight to see it here.", css: PREVIEW_CSS, both: true },
});

function HighlightFields({ draft }: { draft: Draft<"highlights"> }) {
  const { imageUrl } = draft.values;
  return (
    <>
      <EntityForm draft={draft} />
      {imageUrl && (
        <PictureOf url={imageUrl} alt="Preview of the selected image" className="chosen-picture" />
      )}
    </>
  );
}
