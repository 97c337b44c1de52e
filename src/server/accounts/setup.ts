/** The one-time link with which the first owner sets the site up (design.md section 4). */
import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../http/clock.ts";
import type { Store } from "../storage/store.ts";
import { usersOf } from "./owners.ts";

/** The link ends after this. */
const SETUP_MINUTES = 30;

/** An opened setup. */
export interface Setup {
  /** The path with the token, for the log: `/admin/setup?token=…`. */
  readonly path: string;
  /** True for the right token, in time, while there is no owner. */
  accepts(token: unknown): boolean;
  /** The token is dead from here on. */
  close(): void;
}

/** Opens the setup, or answers undefined when the site has a user already. */
export function openSetup(store: Store, clock: Clock): Setup | undefined {
  if (hasUser(store)) return undefined;
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const digest = sha256(token);
  const ends = clock() + SETUP_MINUTES * 60_000;
  let open = true;
  return {
    path: `/admin/setup?token=${token}`,
    accepts: (given) =>
      open &&
      clock() < ends &&
      typeof given === "string" &&
      timingSafeEqual(sha256(given), digest) &&
      !hasUser(store),
    close: () => {
      open = false;
    },
  };
}

const hasUser = (store: Store) => usersOf(store).read().value.length > 0;

const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();
