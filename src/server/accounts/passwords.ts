/** Hashes and checks passwords: argon2id, at most two at once (security.md; OWASP, 19 MiB and t=2). */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { isCommonPassword } from "./commonPasswords.ts";

// Which passwords are taken (security.md, "Guessing the password"; ASVS 5.0, 6.2).

/** The shortest name that a password must not contain: shorter ones occur by chance. */
const MIN_NAME = 4;

/**
 * Why a password is not taken, in words, or undefined when it is. `names` are what others know:
 * username, e-mail address, the site's name.
 */
export function passwordProblem(password: unknown, names: readonly string[]): string | undefined {
  if (typeof password !== "string" || password === "") return "Choose a password.";
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH)
    return `Use at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (isCommonPassword(password))
    return "This password is among the first ones guessed. Choose another one.";
  if (namesInside(password, names))
    return "Leave your name, your e-mail address and the site's name out of the password.";
  return undefined;
}

function namesInside(password: string, names: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return names
    .flatMap((name) => [name, name.replace(/@.*$/, ""), name.replace(/\s+/g, "")])
    .map((name) => name.trim().toLowerCase())
    .some((name) => name.length >= MIN_NAME && lower.includes(name));
}

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
