/** How fast messages leave: as fast as whoever carries them takes them. */
import type { MailAccount } from "../../../schema/mail.ts";
import { isThisMachine } from "../../shared/mailUrl.ts";
import { MINUTE } from "../../shared/time.ts";

interface Speed {
  /** The shortest time from one message to the next, in milliseconds. Resend takes 2 a second, Amazon 14. */
  readonly apart: number;
  /** Messages of a letter in a minute, as many as a new account is allowed. */
  readonly letters: number;
}

const SPEEDS: Readonly<Record<MailAccount["kind"], Speed>> = {
  smtp: { apart: 20, letters: 60 },
  resend: { apart: 550, letters: 100 },
  postmark: { apart: 20, letters: 600 },
  mailgun: { apart: 20, letters: 300 },
  ses: { apart: 75, letters: 60 },
};

/** The shortest time between two messages by an account; undefined: while there is none. */
export const apartBy = (account: MailAccount | undefined): number =>
  account ? SPEEDS[account.kind].apart : 0;

interface Pace {
  /** Messages in a minute; undefined: as fast as they are taken. */
  perMinute(): number | undefined;
  /** Resolves when the next one may leave. */
  wait(): Promise<void>;
  /** Lets go of who waits. */
  release(): void;
}

/** The pace of letters by the account that is set at the moment; to a server on this machine there is none. */
export function letterPace(current: () => MailAccount | undefined): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let release: (() => void) | undefined;
  function perMinute(): number | undefined {
    const account = current();
    if (account?.kind === "smtp" && isThisMachine(account.host)) return undefined;
    return account && SPEEDS[account.kind].letters;
  }
  return {
    perMinute,
    release: () => release?.(),
    async wait() {
      const most = perMinute();
      const wait = most === undefined ? 0 : lastAt + MINUTE / most - performance.now();
      if (wait > 0)
        await new Promise<void>((resolve) => {
          release = resolve;
          setTimeout(resolve, wait);
        });
      lastAt = performance.now();
    },
  };
}
