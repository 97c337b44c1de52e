/** Signed links to choose one of a reply's suggested times. Nobody can forge the link of another visitor. */
import { createTokenSigner } from "../shared/signedTokens.ts";

export interface BookingLinkIds {
  readonly submission: string;
  readonly reply: string;
}

export type BookingLinks = ReturnType<typeof createBookingLinks>;

export const BOOKING_PATH = "/times";

/** Creates and reads links. `getSecret` returns the secret that signs all links in messages. */
export function createBookingLinks(getSecret: () => string) {
  const { createToken, readToken } = createTokenSigner(getSecret, "times");
  return {
    /** `index` is the position of the time that the page selects. */
    createPath: ({ submission, reply }: BookingLinkIds, index?: number) =>
      `${BOOKING_PATH}?t=${createToken(`${submission}.${reply}`)}${index === undefined ? "" : `&at=${index}`}`,
    /** Returns the ids in a token; undefined for a token that this site didn't sign. */
    read(token: string | null) {
      const [submission, reply] = readToken(token)?.split(".") ?? [];
      return submission && reply ? { submission, reply } : undefined;
    },
  };
}
