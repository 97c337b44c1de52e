/** `GET /api/health`, for monitors: can the site read and write its data? */
import { Elysia } from "elysia";
import type { Store } from "../storage/store.ts";
import type { Clock } from "./clock.ts";
import { Refusal } from "./errors.ts";

/** The disk is asked at most this often, as anybody may call. */
const FRESH = 1000;

/** 200 `{status:"ok"}`, or 503. */
export function healthRoute(store: Store, clock: Clock) {
  let asked = Number.NEGATIVE_INFINITY;
  let outcome: Promise<boolean>;
  return new Elysia().get("/api/health", async () => {
    // Also when the clock was set back, else one answer would hold until it has caught up.
    if (Math.abs(clock() - asked) >= FRESH) {
      asked = clock();
      outcome = store.health().then(
        () => true,
        () => false,
      );
    }
    if (!(await outcome)) throw unhealthy();
    return { status: "ok" };
  });
}

const unhealthy = () =>
  new Refusal(503, {
    error: "The site can't read and write its data just now.",
    code: "cannot_store",
  });
