/** Signed links to choose one of a reply's suggested times, so that nobody can choose for someone else. */
import { tokenSigner } from "../shared/signedTokens.ts";

/** The enquiry and the reply. */
export interface BookingLink {
  readonly submission: string;
  readonly reply: string;
}

export type TimesLinks = ReturnType<typeof bookingLinks>;

export const TIMES_PATH = "/times";

/** Signs with the secret of all links in messages, for this purpose only. */
export function bookingLinks(secret: () => string) {
  const { make, read } = tokenSigner(secret, "times");
  return {
    /** A path with its token; `at` is the position of the time selected on the page. */
    make: ({ submission, reply }: BookingLink, at?: number) =>
      `${TIMES_PATH}?t=${make(`${submission}.${reply}`)}${at === undefined ? "" : `&at=${at}`}`,
    /** Undefined for a token that isn't ours. */
    read(token: string | null) {
      const [submission, reply] = read(token)?.split(".") ?? [];
      return submission && reply ? { submission, reply } : undefined;
    },
  };
}
