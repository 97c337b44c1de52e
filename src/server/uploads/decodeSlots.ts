/** Keeps pictures that are being decoded within the memory of a small machine. */
import pLimit from "p-limit";

/**
 * In points, each four bytes: 25 megapixels are 100 MB. A JPEG is never decoded into more; a PNG or a WebP, which
 * can't be made smaller while it is read, is let in alone when it has more.
 */
export const MOST_DECODED = 25_000_000;

const twoAtOnce = pLimit(2);
let pointsInMemory = 0;
let released = Promise.withResolvers<void>();
const fits = (points: number) => pointsInMemory === 0 || pointsInMemory + points <= MOST_DECODED;

/** Two pictures are decoded at a time, and a second one only while both together are within `MOST_DECODED`. */
export function inDecodeSlot<T>(points: number, work: () => Promise<T>): Promise<T> {
  return twoAtOnce(async () => {
    while (!fits(points)) await released.promise;
    pointsInMemory += points;
    try {
      return await work();
    } finally {
      pointsInMemory -= points;
      released.resolve();
      released = Promise.withResolvers();
    }
  });
}
