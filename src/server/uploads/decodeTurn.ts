/**
 * Uploads are decoded one at a time: a small machine has memory for one, and pages need a core too. Pictures drawn
 * for visitors (icons, share pictures) don't wait for them.
 */
import pLimit from "p-limit";

const turn = pLimit(1);

/** Decodes a picture once all earlier work is done. */
export const inDecodeTurn = <T>(work: () => Promise<T>): Promise<T> => turn(work);
