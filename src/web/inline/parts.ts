/**
 * The inline scripts of public pages. A page includes the scripts whose elements it contains. All listen on the
 * document, so they also handle elements that are added later.
 */

import type { WordGroup } from "../words/programWords.ts";

/** A script of public pages, bundled by the build and added to pages by the server. */
export interface InlinePart {
  /** The file in this folder, without its extension. */
  readonly module: string;
  /** The code that starts the part. FIRST_PICTURES is declared before all parts. */
  readonly start?: string;
  /** Beginnings of attributes. Pages that contain one of them include the part. Default: every page does. */
  readonly for?: readonly string[];
  /** The groups of WORDS that the part uses. WORDS is declared before all parts. */
  readonly words?: readonly WordGroup[];
  /** True for a part that other parts use by its file's name. It comes before them. */
  readonly isShared?: true;
}

const GALLERY_ATTRIBUTE = ' data-gallery="';
const MAILING_LIST_ATTRIBUTE = ' class="updates-tab"';
const ENQUIRY_ATTRIBUTE = ' data-wakes="';

export const INLINE_PARTS: readonly InlinePart[] = [
  { module: "scrolling", start: "followScrolling()" },
  { module: "note", words: ["dialog", "failed"], isShared: true },
  { module: "offline", start: "handleOfflineNavigation()" },
  { module: "nextPage", start: "fetchFirstPictures(FIRST_PICTURES)" },
  {
    module: "toasts",
    start: "showToasts()",
    for: [GALLERY_ATTRIBUTE, MAILING_LIST_ATTRIBUTE, ENQUIRY_ATTRIBUTE],
    words: ["toasts"],
  },
  { module: "dialog", for: [GALLERY_ATTRIBUTE, MAILING_LIST_ATTRIBUTE], isShared: true },
  {
    module: "largePicture",
    start: "handlePicturePresses()",
    for: [GALLERY_ATTRIBUTE],
    words: ["gallery"],
  },
  {
    module: "mailingList",
    start: "handleMailingListPresses()",
    for: [MAILING_LIST_ATTRIBUTE],
    words: ["list"],
  },
  { module: "jumps", start: "jumpToSections()", for: [' class="menu-sections"'] },
  { module: "carousel", start: "followCarousels()", for: [' class="carousel-controls"'] },
  { module: "pair", start: "handlePairMoves()", for: [' data-pair="'] },
  { module: "embed", start: "playVideos()", for: [' data-embed="'] },
  { module: "hydrate", start: "hydrateOnIntent()", for: [ENQUIRY_ATTRIBUTE], words: ["unsent"] },
];
