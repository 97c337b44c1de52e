/** Signed links to choose one of a reply's suggested times, so that nobody can choose for someone else. */
import { signed } from "../shared/signed.ts";

/** The enquiry and the reply. */
export interface TimesLink {
  readonly submission: string;
  readonly reply: string;
}

export interface TimesLinks {
  /** A path with its token; `at` is the position of the time selected on the page. */
  make(link: TimesLink, at?: number): string;
  /** Undefined for a token that isn't ours. */
  read(token: string | null): TimesLink | undefined;
}

export const TIMES_PATH = "/times";

/** Signs with the secret of all links in messages, for this purpose only. */
export function timesLinks(secret: () => string): TimesLinks {
  const { make, read } = signed(secret, "times");
  return {
    make: ({ submission, reply }, at) =>
      `${TIMES_PATH}?t=${make(`${submission}.${reply}`)}${at === undefined ? "" : `&at=${at}`}`,
    read(token) {
      const [submission, reply] = read(token)?.split(".") ?? [];
      return submission && reply ? { submission, reply } : undefined;
    },
  };
}
