/**
 * Uploads are decoded one at a time: a small machine has the memory for one, and pages want a core as well. What
 * visitors ask for (icons, the pictures of shared links) doesn't wait for them.
 */
import pLimit from "p-limit";

const turn = pLimit(1);

/** Does what decodes a picture once all that came before is done. */
export const inDecodeTurn = <T>(work: () => Promise<T>): Promise<T> => turn(work);
