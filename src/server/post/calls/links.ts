/** The links by which somebody chooses one of the times that a reply suggests: signed, so that nobody does it for another. */
import { entities } from "../../../schema/index.ts";
import { signed } from "../../shared/signed.ts";
import type { Store } from "../../storage/store.ts";

/** Whose times, and of which reply. */
export interface TimesLink {
  readonly submission: string;
  readonly reply: string;
}

export interface TimesLinks {
  /** A path with its token; `at` is the place of the time that is chosen on the page. */
  make(link: TimesLink, at?: number): string;
  /** Undefined for a token that is not ours. */
  read(token: string | null): TimesLink | undefined;
}

export const TIMES_PATH = "/times";

/** Links that the secret of all links in messages signs, for this purpose alone. */
export function timesLinks(store: Store): TimesLinks {
  const secret = () => store.of(entities.letterSettings).read().value.linkSecret;
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
