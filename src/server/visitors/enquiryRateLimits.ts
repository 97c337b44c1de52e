/** Limits how often visitors send the enquiry form, and proves how much time they needed to fill it in. */
import { createHmac } from "node:crypto";
import { MIN_FILLING_TIME_MS } from "../../schema/enquiry/questions.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { CreateRateLimit } from "../http/rateLimits.ts";
import type { Visitor } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { createExpiringTokenSigner } from "../shared/signedTokens.ts";
import { DAY } from "../shared/time.ts";

export type EnquiryRateLimits = ReturnType<typeof createEnquiryRateLimits>;

const { tooManyMessages: message, tooQuick: TOO_QUICK_MESSAGE } = VISITOR_REFUSALS;

/**
 * Creates the limits, above which the methods throw a 429 with Retry-After. Visitors who prove when they began to fill
 * in the form may send more. Visitors who filled it in too quickly must wait.
 */
export function createEnquiryRateLimits(
  createRateLimit: CreateRateLimit,
  fillingTime: FillingTimeProofs,
) {
  const siteRate = { burst: 300, perMinute: 60 };
  const createLimit = (name: string, burst: number, perMinute: number) =>
    createRateLimit({
      name,
      perVisitor: { burst, perMinute },
      wholeSite: siteRate,
      reserve: createReserve(1),
      message,
    });
  const attemptLimit = createRateLimit({
    name: "enquiry attempts",
    perVisitor: { burst: 60, perMinute: 6 },
    wholeSite: { burst: 1000, perMinute: 300 },
    reserve: createReserve(5),
    message,
  });
  const renderLimit = createRateLimit({
    name: "enquiry pages",
    perVisitor: { burst: 120, perMinute: 60 },
    wholeSite: { burst: 600, perMinute: 600 },
    reserve: createReserve(20),
    message,
  });
  const unprovenLimit = createLimit("unproven enquiries", 10, 1);
  const provenLimit = createLimit("proven enquiries", 20, 2);
  return {
    /** Counts a request, even if it is refused afterwards. */
    countAttempt: (visitor: Visitor) => attemptLimit.consume(visitor),
    /** Counts a page rendered for one visitor, which takes a hundred times as long as a cached page. */
    countRender: (visitor: Visitor) => renderLimit.consume(visitor),
    /** Counts an enquiry before it is stored. `proof` is the signed start time (`createFillingTimeProofs`), if any. */
    admit(visitor: Visitor, proof: unknown) {
      const elapsed = fillingTime.computeElapsedMs(proof);
      if (elapsed !== undefined && elapsed < MIN_FILLING_TIME_MS)
        throw tooManyRequests(TOO_QUICK_MESSAGE, (MIN_FILLING_TIME_MS - elapsed) / 1000);
      (elapsed === undefined ? unprovenLimit : provenLimit).consume(visitor);
    },
  };
}

/**
 * Returns a reserve of requests for visitors who have viewed a page, for when a limit for all visitors is reached. Each
 * network gets `hourlyShare` requests an hour. The reserve is enough for 100 networks, and ten more a minute.
 */
export const createReserve = (hourlyShare: number) => ({
  perNetwork: { burst: hourlyShare, perMinute: hourlyShare / 60 },
  wholeSite: { burst: 100 * hourlyShare, perMinute: 10 * hourlyShare },
});

export type FillingTimeProofs = ReturnType<typeof createFillingTimeProofs>;

/** Creates and reads proofs: the signed times at which visitors began to fill in a form. They are valid for a day. */
export function createFillingTimeProofs(secret: Uint8Array, clock: Clock) {
  const signer = createExpiringTokenSigner(secret, "filling-time", DAY, clock);
  const readStartTime = (proof: unknown) => signer.readToken(proof)?.at;
  return {
    /** Returns a new proof: the time in milliseconds (base 36), a dot and a signature. */
    createProof: () => signer.createToken(),
    /** Returns a proof's time, in milliseconds since 1970; undefined for an invalid or expired proof. */
    readStartTime,
    /** Returns the milliseconds since a proof's time; undefined for an invalid proof. */
    computeElapsedMs(proof: unknown) {
      const at = readStartTime(proof);
      return at === undefined ? undefined : clock() - at;
    },
    /** Returns the key with which a browser encrypts answers: 256 bits in base64; undefined for an invalid proof. */
    computeEncryptionKey: (proof: unknown) =>
      readStartTime(proof) === undefined
        ? undefined
        : createHmac("sha256", secret)
            .update(`kept-answers:${String(proof)}`)
            .digest("base64"),
  };
}
