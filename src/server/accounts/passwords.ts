/** Hashes and checks passwords: argon2id, at most two at once (security.md; OWASP, 19 MiB and t=2). */

/** Turns passwords into what is stored, and compares. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Never throws. Without a hash (an unknown user) it takes as long and answers false. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE = 2;
/** The hash of 32 random bytes that nobody kept: no password fits. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$UQ3N16Ht43cS5l07nB00BocTBuy3WJJEwviNBd/zNV8$VgdSabVDFmI+5UgIcoxUf4+iImh/YFV8GVfyvD8SsXQ";

/** Makes the one place where passwords are hashed, so that memory stays bounded. */
export function passwords(): Passwords {
  const taking = turns(AT_ONCE);
  return {
    hash: (password) => taking(() => Bun.password.hash(normal(password), ARGON2ID)),
    verify: async (password, hash) => {
      const fits = await taking(() =>
        Bun.password.verify(normal(password), hash ?? DECOY).catch(() => false),
      );
      return fits && hash !== undefined;
    },
  };
}

/** Keyboards write the same letter in several ways (Unicode, NFKC). */
const normal = (password: string) => password.normalize("NFKC");

function turns(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
