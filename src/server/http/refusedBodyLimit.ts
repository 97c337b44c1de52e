/** Limits senders of many refused bodies, since reading a body takes time before any other limit applies. */
import { readContentLength } from "./body.ts";
import { type CreateRateLimit, UNLIMITED } from "./rateLimits.ts";
import type { IdentifyVisitor } from "./visitor.ts";

export type RefusedBodyLimit = ReturnType<typeof createRefusedBodyLimit>;

interface RefusedBodyLimitContext {
  readonly createRateLimit: CreateRateLimit;
  readonly identifyVisitor: IdentifyVisitor;
  readonly isLoggedIn: (request: Request) => Promise<boolean>;
}

/** The statuses of responses to a body that is unreadable, too slow, too large or of a wrong type. */
const REFUSED_STATUSES = new Set([400, 408, 413, 415]);

/** Bodies this short are always accepted, so that others at the same address can log in or send a short enquiry. */
const MAX_SHORT_BODY_BYTES = 2048;

export function createRefusedBodyLimit({
  createRateLimit,
  identifyVisitor,
  isLoggedIn,
}: RefusedBodyLimitContext) {
  const limit = createRateLimit({
    name: "refused bodies",
    perVisitor: { burst: 60, perMinute: 30 },
    // No limit for the whole site: a flood from many addresses must not close the site for others.
    wholeSite: UNLIMITED,
    reserve: { perNetwork: UNLIMITED, wholeSite: UNLIMITED },
  });
  return {
    /**
     * Throws a 429 for a long body if its sender has no session and sent too many refused bodies. Must be called before
     * the body is read.
     */
    async assertSenderAllowed(request: Request) {
      const visitor = identifyVisitor(request);
      if (limit.hasCapacity(visitor) || isShortBody(request) || (await isLoggedIn(request))) return;
      limit.consume(visitor);
    },
    /** Counts a request if the status of its response says that the body was refused. */
    countResponse(request: Request, status: number) {
      const visitor = identifyVisitor(request);
      if (REFUSED_STATUSES.has(status) && limit.hasCapacity(visitor)) limit.consume(visitor);
    },
  };
}

const isShortBody = (request: Request) =>
  request.body === null ||
  (request.headers.has("content-length") && readContentLength(request) <= MAX_SHORT_BODY_BYTES);
