/**
 * What port 80 answers the authority while an order is under way (HTTP-01, RFC 8555, section 8.3). The authority
 * meets whichever instance the balancer or the DNS leads it to, so each has to know what one of them has set.
 */
import type { CertificateStorage } from "./keptCertificate.ts";

export interface ChallengeAnswers {
  /** Resolves once every instance answers it. */
  set(token: string, answer: string): Promise<void>;
  delete(token: string): Promise<void>;
  get(token: string): Promise<string | undefined>;
}

/** Of one that is alone. */
export function ownAnswers(): ChallengeAnswers {
  const answers = new Map<string, string>();
  return {
    set: async (token, answer) => void answers.set(token, answer),
    delete: async (token) => void answers.delete(token),
    get: async (token) => answers.get(token),
  };
}

const ANSWERS = "answers";
const TOKEN = /^[\w-]{1,128}$/;

/** Of several. One of them orders at a time, so what it sets takes the place of what one that died has left. */
export function answersAmong(storage: CertificateStorage): ChallengeAnswers {
  const own = new Map<string, string>();
  const keep = () => storage.write(ANSWERS, JSON.stringify([...own]));
  const look = sharedLook(async () => {
    const text = await storage.read(ANSWERS).catch(() => undefined);
    return new Map(JSON.parse(text ?? "[]") as [string, string][]);
  });
  return {
    async set(token, answer) {
      own.set(token, answer);
      await keep();
    },
    async delete(token) {
      own.delete(token);
      await keep();
    },
    get: async (token) =>
      own.get(token) ?? (TOKEN.test(token) ? (await look()).get(token) : undefined),
  };
}

/**
 * However many guess, one look is under way at a time; who comes meanwhile shares the next one, since what
 * they ask for may have been set after this one began.
 */
function sharedLook<R>(read: () => Promise<R>): () => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<R> | undefined;
  return () => {
    if (next) return next;
    const after = last.then(() => {
      next = undefined;
      return read();
    });
    last = after.catch(() => undefined);
    return (next = after);
  };
}
