/** How fast letters leave: as fast as the provider lets a new account. */
import { isThisMachine } from "../../shared/mailUrl.ts";
import type { LettersMail } from "./context.ts";

/** Messages in a minute. This machine takes what it is given. */
const PACES = { smtp: 60, resend: 100, postmark: 600, mailgun: 300, ses: 60 } as const;

export interface Pace {
  /** Messages in a minute; undefined: as fast as they are taken. */
  perMinute(): number | undefined;
  /** Resolves when the next one may leave. */
  wait(): Promise<void>;
  /** Lets go of who waits. */
  release(): void;
}

/** The pace of the account that is set at the moment; to a server on this machine there is none. */
export function paceOf(mail: LettersMail): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let release: (() => void) | undefined;
  function perMinute(): number | undefined {
    const account = mail.sending()?.full.account;
    if (account?.kind === "smtp" && isThisMachine(account.host)) return undefined;
    return account && PACES[account.kind];
  }
  return {
    perMinute,
    release: () => release?.(),
    async wait() {
      const most = perMinute();
      const wait = most === undefined ? 0 : lastAt + 60_000 / most - performance.now();
      if (wait > 0)
        await new Promise<void>((resolve) => {
          release = resolve;
          setTimeout(resolve, wait);
        });
      lastAt = performance.now();
    },
  };
}
