/**
 * What a public page does by itself: it follows its own scrolling, jumps to its sections, moves its
 * carousel, opens its pictures and the mailing list, and fetches what the enquiry form needs when a visitor
 * is about to fill it in. Listens on the document, so that it holds for what a living page shows later as
 * well.
 */
import { followCarousels } from "./carousel.ts";
import { jumpToSections } from "./jumps.ts";
import { openPictures } from "./largePicture.ts";
import { openMailingList } from "./mailingList.ts";
import { type FirstPictures, fetchFirstPictures } from "./nextPage.ts";
import { stayOffline } from "./offline.ts";
import { followScrolling } from "./scrolling.ts";
import { showToasts } from "./toasts.ts";
import { wakeAtIntent } from "./wake.ts";

/** The files of the page's code, the entry first; these stand before this program. */
declare const ADDRESSES: readonly string[];
declare const FIRST_PICTURES: FirstPictures;

followScrolling();
jumpToSections();
followCarousels();
openPictures();
openMailingList();
showToasts();
stayOffline();
wakeAtIntent(ADDRESSES);
fetchFirstPictures(FIRST_PICTURES);
