/** Signed links to choose one of a reply's suggested times, so that nobody can choose for someone else. */
import { createTokenSigner } from "../shared/signedTokens.ts";

/** The enquiry and the reply. */
export interface BookingLink {
  readonly submission: string;
  readonly reply: string;
}

export type BookingLinks = ReturnType<typeof createBookingLinks>;

export const BOOKING_PATH = "/times";

/** Signs with the secret of all links in messages, for this purpose only. */
export function createBookingLinks(secret: () => string) {
  const { make, read } = createTokenSigner(secret, "times");
  return {
    /** A path with its token; `at` is the position of the time selected on the page. */
    make: ({ submission, reply }: BookingLink, at?: number) =>
      `${BOOKING_PATH}?t=${make(`${submission}.${reply}`)}${at === undefined ? "" : `&at=${at}`}`,
    /** Undefined for a token that isn't ours. */
    read(token: string | null) {
      const [submission, reply] = read(token)?.split(".") ?? [];
      return submission && reply ? { submission, reply } : undefined;
    },
  };
}
