/**
 * The responses to the authority on port 80 during an order (HTTP-01, RFC 8555, section 8.3). It reaches whichever
 * instance the load balancer or DNS picks, so every instance has to know what one of them has set.
 */
import type { CertificateStorage } from "./keptCertificate.ts";

export interface ChallengeAnswers {
  /** Resolves once every instance responds with it. */
  set(token: string, answer: string): Promise<void>;
  delete(token: string): Promise<void>;
  get(token: string): Promise<string | undefined>;
}

/** For a single instance. */
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

/** For several instances. Only one orders at a time, so its answers replace what a dead one left. */
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
 * However many requests come in, one read runs at a time; requests during it share the next one, since their answer
 * may have been set after this one began.
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
