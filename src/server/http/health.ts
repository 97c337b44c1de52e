/** `GET /api/health`, for monitors: can the site save? */
import { Elysia } from "elysia";
import type { Clock } from "../shared/clock.ts";
import { cannotStore, isRefusal, type Refusal } from "../shared/errors.ts";

/** The disk is asked at most this often, in milliseconds, as anybody may call. */
const FRESH = 5000;

/** 200 `{status:"ok"}`, or 503 with what fails first. `tries` throw `cannot_store`. */
export function healthRoute(tries: readonly (() => Promise<void>)[], clock: Clock) {
  let asked = Number.NEGATIVE_INFINITY;
  let outcome: Promise<Refusal | undefined>;
  return new Elysia().get("/api/health", async () => {
    // In both directions: if the clock was set back, an old result must not last until it has caught up.
    if (Math.abs(clock() - asked) >= FRESH) {
      asked = clock();
      outcome = firstRefusal(tries);
    }
    const refusal = await outcome;
    if (refusal) throw refusal;
    return { status: "ok" };
  });
}

async function firstRefusal(tries: readonly (() => Promise<void>)[]): Promise<Refusal | undefined> {
  const outcomes = await Promise.allSettled(tries.map((each) => each()));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (!failed) return undefined;
  return isRefusal(failed.reason, "cannot_store") ? failed.reason : unhealthy(failed.reason);
}

const unhealthy = (cause: unknown) =>
  cannotStore("The site can't read or write its data at the moment.", cause);
