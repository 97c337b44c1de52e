/**
 * The inline scripts of public pages. A page includes the scripts whose elements it contains. All listen on the
 * document, so they also handle elements that are added later.
 */

import type { WordGroup } from "../words/scriptWords.ts";

/** A script of public pages, bundled by the build and added to pages by the server. */
export interface InlineScript {
  /** The file in this folder, without its extension. */
  readonly module: string;
  /** The code that starts the part. FIRST_PICTURES is declared before all parts. */
  readonly startCode?: string;
  /** Beginnings of attributes. Pages that contain one of them include the part. Default: every page does. */
  readonly attributes?: readonly string[];
  /** The groups of WORDS that the part uses. WORDS is declared before all parts. */
  readonly wordGroups?: readonly WordGroup[];
  /** True for a part that other parts use by its file's name. It comes before them. */
  readonly isShared?: true;
}

const GALLERY_ATTRIBUTE = ' data-gallery="';
const MAILING_LIST_ATTRIBUTE = ' class="updates-tab"';
const ENQUIRY_ATTRIBUTE = ' data-wakes="';

export const INLINE_SCRIPTS: readonly InlineScript[] = [
  { module: "scrolling", startCode: "trackScrolling()" },
  { module: "retryMessage", wordGroups: ["dialog", "failed"], isShared: true },
  { module: "offline", startCode: "handleOfflineNavigation()" },
  { module: "nextPage", startCode: "fetchFirstPictures(FIRST_PICTURES)" },
  {
    module: "toasts",
    startCode: "showToasts()",
    attributes: [GALLERY_ATTRIBUTE, MAILING_LIST_ATTRIBUTE, ENQUIRY_ATTRIBUTE],
    wordGroups: ["toasts"],
  },
  { module: "dialog", attributes: [GALLERY_ATTRIBUTE, MAILING_LIST_ATTRIBUTE], isShared: true },
  {
    module: "largePicture",
    startCode: "handlePicturePresses()",
    attributes: [GALLERY_ATTRIBUTE],
    wordGroups: ["gallery"],
  },
  {
    module: "mailingList",
    startCode: "handleMailingListPresses()",
    attributes: [MAILING_LIST_ATTRIBUTE],
    wordGroups: ["list"],
  },
  {
    module: "sectionButtons",
    startCode: "handleSectionButtons()",
    attributes: [' class="menu-sections"'],
  },
  {
    module: "carousel",
    startCode: "handleCarousels()",
    attributes: [' class="carousel-controls"'],
  },
  { module: "beforeAfterSlider", startCode: "handleSliderInput()", attributes: [' data-pair="'] },
  { module: "embed", startCode: "playVideos()", attributes: [' data-embed="'] },
  {
    module: "hydrate",
    startCode: "hydrateOnIntent()",
    attributes: [ENQUIRY_ATTRIBUTE],
    wordGroups: ["unsent"],
  },
];
