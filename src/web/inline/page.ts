/**
 * What a public page does by itself: it follows its own scrolling, jumps to its sections, moves its
 * carousel, opens its pictures and the mailing list. Listens on the document, so that it holds for what a
 * living page (livingPage.ts) shows later as well.
 */
import { followCarousels } from "./carousel.ts";
import { jumpToSections } from "./jumps.ts";
import { openPictures } from "./largePicture.ts";
import { openMailingList } from "./mailingList.ts";
import { type FirstPictures, fetchFirstPictures } from "./nextPage.ts";
import { stayOffline } from "./offline.ts";
import { followScrolling } from "./scrolling.ts";
import { showToasts } from "./toasts.ts";

/** Stands before this program. */
declare const FIRST_PICTURES: FirstPictures;

followScrolling();
jumpToSections();
followCarousels();
openPictures();
openMailingList();
showToasts();
stayOffline();
fetchFirstPictures(FIRST_PICTURES);
