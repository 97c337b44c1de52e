/** The owner's routes for booked calls. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { wallTime } from "../../schema/kinds/fields.ts";
import { submissionResponse } from "../../schema/enquiry/visitors.ts";
import type { AccessGuard, SessionUser } from "../accounts/guard.ts";
import { readChecked } from "../http/body.ts";
import { conflict } from "../shared/errors.ts";
import type { Bookings } from "./bookings.ts";

interface CallRoutesContext {
  readonly guard: AccessGuard;
  readonly bookings: Pick<Bookings, "move" | "cancel">;
  /** Whether mail can be sent: the visitor is notified. */
  readonly isSetUp: () => boolean;
  /** Counts a message to a visitor like a reply. Throws 403. */
  readonly count: (owner: SessionUser) => void;
}

const moveBody = v.object({ at: wallTime("Time").schema }, "Enter a time such as 20:00.");

/**
 * PUT `/api/form-submissions/{id}/call {at}` moves it, DELETE calls it off; both notify the visitor and
 * return it.
 */
export function callRoutes({ guard, bookings, isSetUp, count }: CallRoutesContext) {
  const requireMail = () => {
    if (!isSetUp()) throw conflict("Set up email first: Account menu > Email settings.");
  };
  return new Elysia({ prefix: "/api/form-submissions" })
    .use(guard)
    .put(
      "/:id/call",
      async ({ request, params, owner, happened }) => {
        const { at } = await readChecked(moveBody, request, "at");
        requireMail();
        count(owner);
        const changed = await bookings.move(params.id, at);
        happened("data", "rescheduled a call");
        return submissionResponse(changed);
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/:id/call",
      async ({ params, owner, happened }) => {
        requireMail();
        count(owner);
        const changed = await bookings.cancel(params.id);
        happened("data", "canceled a call");
        return submissionResponse(changed);
      },
      { owner: true },
    );
}
