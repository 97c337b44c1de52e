/**
 * What a public page does by itself, in parts: a page carries those whose elements stand on it. All of them
 * listen on the document, so that none has to be told when something is put into the page.
 */

import type { WordGroup } from "../words/programWords.ts";

/** A program of a public page, as the build bundles it and the server puts it into pages. */
export interface Part {
  /** The file in this folder, without its ending. */
  readonly module: string;
  /** What is run of it, as code; FIRST_PICTURES stands before all parts. */
  readonly start?: string;
  /** Beginnings of attributes: the part is in every page with one of them. Default: in every page. */
  readonly for?: readonly string[];
  /** The groups of WORDS that it says something of; they stand before all parts as well. */
  readonly words?: readonly WordGroup[];
  /** Other parts use it, under the name of its file: it comes before them. */
  readonly isShared?: true;
}

const GALLERY = ' data-gallery="';
const MAILING_LIST = ' class="updates-tab"';
const ENQUIRY = ' data-wakes="';

export const PARTS: readonly Part[] = [
  { module: "scrolling", start: "followScrolling()" },
  { module: "offline", start: "stayOffline()", words: ["dialog", "failed"] },
  { module: "nextPage", start: "fetchFirstPictures(FIRST_PICTURES)" },
  {
    module: "toasts",
    start: "showToasts()",
    for: [GALLERY, MAILING_LIST, ENQUIRY],
    words: ["toasts"],
  },
  { module: "dialog", for: [GALLERY, MAILING_LIST], isShared: true },
  { module: "largePicture", start: "openPictures()", for: [GALLERY], words: ["gallery"] },
  {
    module: "mailingList",
    start: "openMailingList()",
    for: [MAILING_LIST],
    words: ["list"],
  },
  { module: "jumps", start: "jumpToSections()", for: [' class="menu-sections"'] },
  { module: "carousel", start: "followCarousels()", for: [' class="carousel-controls"'] },
  { module: "pair", start: "movePairs()", for: [' data-pair="'] },
  { module: "embed", start: "playVideos()", for: [' data-embed="'] },
  { module: "wake", start: "wakeAtIntent()", for: [ENQUIRY], words: ["unsent"] },
];
