/** Limits how often the enquiry form is sent. */
import { createHmac } from "node:crypto";
import { MIN_FILLING_TIME_MS } from "../../schema/enquiry/questions.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { RateLimits } from "../http/rateLimits.ts";
import type { Visitor } from "../http/visitor.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { createExpiringTokenSigner, createTokenSigner } from "../shared/signedTokens.ts";
import { DAY } from "../shared/time.ts";

/** All throw a 429 with Retry-After. */
export interface EnquiryRateLimits {
  /** Counts every request, including refused ones. */
  attempt(visitor: Visitor): void;
  /** Counts a page rendered for one visitor, which costs as much as a hundred cached ones. */
  countRender(visitor: Visitor): void;
  /** Counts an enquiry before it is stored; `started` is the optional proof of the filling time. */
  admit(visitor: Visitor, started: unknown): void;
}

const { tooManyMessages: WORDS, tooQuick: TOO_QUICK } = VISITOR_REFUSALS;

/**
 * A request without a proof is never refused for that, only limited more strictly: 10 at once, then one a minute.
 * With a proof it is 20, then two a minute; a proof that is too recent has to wait.
 */
export function createEnquiryRateLimits(
  limits: RateLimits,
  filling: FillingTimeProofs,
): EnquiryRateLimits {
  const site = { burst: 300, perMinute: 60 };
  const rule = (name: string, burst: number, perMinute: number) =>
    limits({
      name,
      perVisitor: { burst, perMinute },
      wholeSite: site,
      reserve: createReserve(1),
      message: WORDS,
    });
  const attempts = limits({
    name: "enquiry attempts",
    perVisitor: { burst: 60, perMinute: 6 },
    wholeSite: { burst: 1000, perMinute: 300 },
    reserve: createReserve(5),
    message: WORDS,
  });
  const drawn = limits({
    name: "enquiry pages",
    perVisitor: { burst: 120, perMinute: 60 },
    wholeSite: { burst: 600, perMinute: 600 },
    reserve: createReserve(20),
    message: WORDS,
  });
  const unproven = rule("unproven enquiries", 10, 1);
  const proven = rule("proven enquiries", 20, 2);
  return {
    attempt: (visitor) => attempts.consume(visitor),
    countRender: (visitor) => drawn.consume(visitor),
    admit(visitor, started) {
      const elapsed = filling.elapsed(started);
      if (elapsed !== undefined && elapsed < MIN_FILLING_TIME_MS)
        throw tooManyRequests(TOO_QUICK, (MIN_FILLING_TIME_MS - elapsed) / 1000);
      (elapsed === undefined ? unproven : proven).consume(visitor);
    },
  };
}

/** A burst of a hundred networks and ten more a minute, `share` requests an hour each. */
export const createReserve = (share: number) => ({
  perNetwork: { burst: share, perMinute: share / 60 },
  wholeSite: { burst: 100 * share, perMinute: 10 * share },
});

export interface FillingTimeProofs {
  /** A new proof: base36 milliseconds, a dot, a signature. */
  begin(): string;
  /** When the proof was made; undefined if it is missing, forged or a day old. */
  startedAt(proof: unknown): number | undefined;
  /** Milliseconds since then. */
  elapsed(proof: unknown): number | undefined;
  /**
   * The key that a browser encrypts its stored answers with, 256 bits in base64: the same for a day, and
   * unavailable after that. Undefined as for `startedAt`.
   */
  encryptionKey(proof: unknown): string | undefined;
}

/** Proofs signed with a key derived from the site's secret. */
export function createFillingTime(
  secret: Uint8Array,
  now: () => number = Date.now,
): FillingTimeProofs {
  const proofs = createExpiringTokenSigner(createTokenSigner(secret, "filling-time"), DAY, now);
  const startedAt = (proof: unknown) => proofs.read(proof)?.at;
  const elapsed = (proof: unknown) => {
    const at = startedAt(proof);
    return at === undefined ? undefined : now() - at;
  };
  return {
    begin: () => proofs.make(),
    startedAt,
    elapsed,
    encryptionKey: (proof) =>
      startedAt(proof) === undefined
        ? undefined
        : createHmac("sha256", secret)
            .update(`kept-answers:${String(proof)}`)
            .digest("base64"),
  };
}
