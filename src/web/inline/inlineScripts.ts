/** The inline scripts of public pages. A page includes only the scripts that its elements need. */

import type { WordGroup } from "../words/scriptWords.ts";

export interface InlineScript {
  /** The file in this folder, without its extension. */
  readonly fileName: string;
  /** The code that starts the script. It may use FIRST_PICTURES, which is declared before all scripts. */
  readonly startCode?: string;
  /** Beginnings of attributes. A page with one of them includes the script. Default: every page includes it. */
  readonly attributes?: readonly string[];
  /** The groups of texts that the script reads from WORDS, which is declared before all scripts. */
  readonly wordGroups?: readonly WordGroup[];
  /** True for a script whose exports other scripts use. It comes before these scripts, and has no `startCode`. */
  readonly isShared?: true;
}

const GALLERY_ATTRIBUTE = ' data-gallery="';
const MAILING_LIST_ATTRIBUTE = ' class="updates-tab"';
const ENQUIRY_ATTRIBUTE = ' data-wakes="';

export const INLINE_SCRIPTS: readonly InlineScript[] = [
  { fileName: "scrolling", startCode: "trackScrolling()" },
  { fileName: "retryMessage", wordGroups: ["dialog", "failed"], isShared: true },
  { fileName: "offline", startCode: "handleOfflineNavigation()" },
  { fileName: "nextPage", startCode: "fetchFirstPictures(FIRST_PICTURES)" },
  {
    fileName: "toasts",
    startCode: "showToasts()",
    attributes: [GALLERY_ATTRIBUTE, MAILING_LIST_ATTRIBUTE, ENQUIRY_ATTRIBUTE],
    wordGroups: ["toasts"],
  },
  { fileName: "dialog", attributes: [GALLERY_ATTRIBUTE, MAILING_LIST_ATTRIBUTE], isShared: true },
  {
    fileName: "largePicture",
    startCode: "handlePicturePresses()",
    attributes: [GALLERY_ATTRIBUTE],
    wordGroups: ["gallery"],
  },
  {
    fileName: "mailingList",
    startCode: "handleMailingListPresses()",
    attributes: [MAILING_LIST_ATTRIBUTE],
    wordGroups: ["list"],
  },
  {
    fileName: "sectionButtons",
    startCode: "handleSectionButtons()",
    attributes: [' class="menu-sections"'],
  },
  {
    fileName: "carousel",
    startCode: "handleCarousels()",
    attributes: [' class="carousel-controls"'],
  },
  { fileName: "beforeAfterSlider", startCode: "handleSliderInput()", attributes: [' data-pair="'] },
  { fileName: "embed", startCode: "playVideos()", attributes: [' data-embed="'] },
  {
    fileName: "hydrate",
    startCode: "hydrateOnIntent()",
    attributes: [ENQUIRY_ATTRIBUTE],
    wordGroups: ["unsent"],
  },
];
