/** The services of the site that the newsletter uses. */
import type { Clocks } from "../shared/clock.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store } from "../storage/store.ts";
import type { Mail } from "../mail/mail.ts";

export interface LettersContext extends Required<Clocks> {
  readonly store: Store;
  readonly bin: Bin;
  readonly log: (line: string) => void;
  readonly mail: Mail;
}
