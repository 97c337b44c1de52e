/**
 * What a page does by itself that can come to life: all that the others do, and it fetches what its form needs
 * when a visitor is about to fill it in.
 */
import "./page.ts";
import { wakeAtIntent } from "./wake.ts";

/** The files of the page's code, the entry first; these stand before this program. */
declare const ADDRESSES: readonly string[];

wakeAtIntent(ADDRESSES);
