/** The owners' routes to reschedule and cancel booked calls. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { wallTime } from "../../schema/kinds/fields.ts";
import { toSubmissionResponse } from "../../schema/enquiry/visitors.ts";
import type { AccessGuard, SessionUser } from "../accounts/guard.ts";
import { readCheckedJson } from "../http/body.ts";
import { type Mail, MAIL_NOT_SET_UP_MESSAGE } from "../mail/mail.ts";
import type { SessionMailLimits } from "../mail/sessionMailLimits.ts";
import { conflict } from "../shared/errors.ts";
import type { Bookings } from "./bookings.ts";

interface CallRoutesContext {
  readonly guard: AccessGuard;
  readonly mail: Pick<Mail, "getAccount"> & { readonly calls: { readonly bookings: Bookings } };
  readonly sessionMailLimits: Pick<SessionMailLimits, "assertReplyAllowed">;
}

const moveCallSchema = v.object({ at: wallTime("Time").schema }, "Choose a date and time.");

export function createCallRoutes({ guard, mail, sessionMailLimits }: CallRoutesContext) {
  const { bookings } = mail.calls;
  /** Counts the message to the visitor as a reply. Throws a 409 while mail isn't set up, and a 403 above the limit. */
  const admitMessage = (owner: SessionUser) => {
    if (!mail.getAccount()) throw conflict(MAIL_NOT_SET_UP_MESSAGE);
    sessionMailLimits.assertReplyAllowed(owner);
  };
  return new Elysia({ prefix: "/api/form-submissions" })
    .use(guard)
    .put(
      "/:id/call",
      async ({ request, params, owner, logAudit }) => {
        const { at } = await readCheckedJson(moveCallSchema, request, "at");
        admitMessage(owner);
        const submission = await bookings.moveCall(params.id, at);
        logAudit("data", "rescheduled a call");
        return toSubmissionResponse(submission);
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/:id/call",
      async ({ params, owner, logAudit }) => {
        admitMessage(owner);
        const submission = await bookings.cancelCall(params.id);
        logAudit("data", "canceled a call");
        return toSubmissionResponse(submission);
      },
      { owner: true },
    );
}
