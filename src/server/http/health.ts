/** `GET /api/health`, for monitors: can the site read and write its data? */
import { Elysia } from "elysia";
import type { Clock } from "../shared/clock.ts";
import { cannotStore } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";

/** The disk is asked at most this often, as anybody may call. */
const FRESH = 1000;

/** 200 `{status:"ok"}`, or 503. */
export function healthRoute(store: Store, clock: Clock) {
  let asked = Number.NEGATIVE_INFINITY;
  let outcome: Promise<boolean>;
  return new Elysia().get("/api/health", async () => {
    // In both directions: if the clock was set back, an old result must not last until it has caught up.
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

const unhealthy = () => cannotStore("The site can't read or write its data at the moment.");
