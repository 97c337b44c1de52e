/** The Highlights tab: posters, section settings, preview. */
import { UrlThumbnail } from "../parts/Thumbnail.tsx";
import { createSectionTab } from "./SectionTab.tsx";

/** On phones, the page shows the posters in a carousel. The preview stacks them instead. */
const PREVIEW_CSS = `
.page .posters { grid-template-columns: repeat(3, minmax(0, 1fr)); }
@container page (max-width: 767px) {
  .page .posters { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0; padding: 0; overflow: visible; }
  .posters > li { width: auto; }
  .carousel-controls { display: none; }
}`;

export const HighlightsTab = createSectionTab("highlights", {
  overrideFields: ({ values: { imageUrl } }) => ({
    imageUrl: {
      contentBelow: imageUrl && (
        <UrlThumbnail
          key="preview"
          url={imageUrl}
          alt="Preview of the selected image"
          className="chosen-picture well full-width"
        />
      ),
    },
  }),
  previewCss: PREVIEW_CSS,
});
