/** Lets two pictures be decoded at a time: 50 megapixels take 200 MB while they are in memory. */

const SLOTS = 2;
let busy = 0;
const waiting: (() => void)[] = [];

/** Runs the work as soon as a slot is free, first come first served, and answers what it answers. */
export async function inDecodeSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (busy < SLOTS) busy++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // A waiter takes the slot over, so that nobody slips in between.
    if (next) next();
    else busy--;
  }
}
