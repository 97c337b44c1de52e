/** The owners' routes to reschedule and cancel booked calls. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { wallTime } from "../../schema/kinds/fields.ts";
import { toSubmissionResponse } from "../../schema/enquiry/visitors.ts";
import type { AccessGuard, SessionUser } from "../accounts/guard.ts";
import { readCheckedJson } from "../http/body.ts";
import { conflict } from "../shared/errors.ts";
import type { Bookings } from "./bookings.ts";

interface CallRoutesContext {
  readonly guard: AccessGuard;
  readonly bookings: Pick<Bookings, "moveCall" | "cancelCall">;
  /** Whether mail can be sent, because the visitor is notified by email. */
  readonly isMailSetUp: () => boolean;
  /** Counts a message to a visitor, like a reply. Throws a 403 above the limit. */
  readonly countMessage: (owner: SessionUser) => void;
}

const moveCallSchema = v.object({ at: wallTime("Time").schema }, "Choose a date and time.");

/**
 * PUT `/api/form-submissions/{id}/call {at}` moves the call, DELETE cancels it. Both notify the visitor and return the
 * submission.
 */
export function createCallRoutes({
  guard,
  bookings,
  isMailSetUp,
  countMessage,
}: CallRoutesContext) {
  const assertMailSetUp = () => {
    if (!isMailSetUp()) throw conflict("Set up email first: Account menu > Email settings.");
  };
  return new Elysia({ prefix: "/api/form-submissions" })
    .use(guard)
    .put(
      "/:id/call",
      async ({ request, params, owner, logAudit }) => {
        const { at } = await readCheckedJson(moveCallSchema, request, "at");
        assertMailSetUp();
        countMessage(owner);
        const submission = await bookings.moveCall(params.id, at);
        logAudit("data", "rescheduled a call");
        return toSubmissionResponse(submission);
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/:id/call",
      async ({ params, owner, logAudit }) => {
        assertMailSetUp();
        countMessage(owner);
        const submission = await bookings.cancelCall(params.id);
        logAudit("data", "canceled a call");
        return toSubmissionResponse(submission);
      },
      { owner: true },
    );
}
