/** The call booked by an enquiry's sender: time, place, Reschedule and Cancel. */
import CalendarClock from "lucide-react/icons/calendar-clock";
import { useState } from "react";
import type { Booking } from "../../../../schema/enquiry/calls.ts";
import { wallTime } from "../../../../schema/kinds/fields.ts";
import { formatZoneCity } from "../../../../schema/core/formatDate.ts";
import { replaceSkippedTime, parseLocalTime, formatLocalTime } from "../../../shared/localTime.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { formatLocalDateTime } from "../../../shared/formatTimes.ts";
import type { CallOptions } from "../../../shared/api.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { usePermission } from "../../data/session.ts";
import { getItemPath, writeToEntity } from "../../data/entityWrites.ts";
import { refetchPaths } from "../../data/apiQuery.ts";
import { WallTimeField } from "../../editor/timeFields.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";

export interface BookedCallProps {
  readonly id: string;
  readonly visitorName: string;
  readonly booking: Booking;
}

export function BookedCall({ id, visitorName, booking }: BookedCallProps) {
  const hasPermission = usePermission();
  const [dialog, setDialog] = useState<"move" | "cancel" | null>(null);
  const close = () => setDialog(null);
  const callTime = formatLocalDateTime(replaceSkippedTime(booking.at, booking.zone));
  const [isPending, cancelCall] = useAction(() => changeCall(id, { method: "DELETE" }), {
    success: "Call canceled. The visitor has been notified.",
    failure: "Couldn't cancel the call. Try again.",
    onSettled: close,
  });
  return (
    <section className="booked-call row gap-12 cluster border-bottom mb-16" aria-label="Call">
      <CalendarClock size={16} aria-hidden="true" />
      <p className="grow">
        <strong>{callTime}</strong>
        <span className="quiet">
          {` (${formatZoneCity(booking.zone)} time) · ${booking.minutes} minutes · ${describeLocation(booking)}`}
        </span>
      </p>
      {hasPermission("site") && !isCallOver(booking) && (
        <div className="actions">
          <Button onClick={() => setDialog("move")}>Reschedule</Button>
          <Button variant="quiet" aria-label="Cancel the call" onClick={() => setDialog("cancel")}>
            Cancel
          </Button>
        </div>
      )}
      <Dialog isOpen={dialog === "move"} onClose={close} title="Reschedule call" size="small">
        <RescheduleForm id={id} visitorName={visitorName} booking={booking} onDone={close} />
      </Dialog>
      <ConfirmDialog
        isOpen={dialog === "cancel"}
        title={`Cancel the call with ${visitorName}?`}
        cancelLabel="Keep call"
        confirmLabel="Cancel the call"
        isPending={isPending}
        onCancel={close}
        onConfirm={cancelCall}
      >
        <p>{`${callTime}. An email about the cancellation will be sent to ${visitorName}.`}</p>
      </ConfirmDialog>
    </section>
  );
}

/** Reschedules or cancels the call. The server notifies the visitor. Throws CallError. */
async function changeCall(submissionId: string, options: CallOptions): Promise<void> {
  const path = getItemPath("formSubmissions", submissionId);
  await writeToEntity("formSubmissions", `${path}/call`, options);
  await refetchPaths(`${path}/replies`);
}

/** Whether the call is over; false if the browser doesn't know the time zone. The server checks the time again. */
function isCallOver({ at, zone, minutes }: Booking): boolean {
  try {
    return parseLocalTime(at, zone) + minutes * 60_000 <= Date.now();
  } catch {
    return false;
  }
}

/** Converts the call's time to `zone`, the site's time zone, which may have changed since the booking. */
function formatTimeInZone(zone: string, { at, zone: bookedZone }: Booking): string {
  try {
    return formatLocalTime(parseLocalTime(at, bookedZone), zone);
  } catch {
    return at;
  }
}

function describeLocation({ where: { how, text } }: Booking): string {
  if (how !== "call") return text;
  return text === "" ? "Phone call" : `Phone call to ${text}`;
}

const TIME_FIELD = wallTime("Time");

interface RescheduleFormProps extends BookedCallProps {
  readonly onDone: () => void;
}

function RescheduleForm({ id, visitorName, booking, onDone }: RescheduleFormProps) {
  const { zone } = usePageContext();
  const form = useForm(useFormValues({ at: formatTimeInZone(zone, booking) }), {
    save: async ({ at }) => {
      await changeCall(id, { method: "PUT", body: { at } });
      onDone();
    },
    success: "Call rescheduled. The visitor has been notified.",
    failure: "Couldn't reschedule the call. Try again.",
    failureField: "at",
  });
  return (
    <Form form={form}>
      <Field
        name="at"
        label={`New time (${formatZoneCity(zone)} time)`}
        hint={`An email with the new time will be sent to ${visitorName}.`}
      >
        {(control, change) => (
          <WallTimeField
            control={control}
            label="New time"
            declaration={TIME_FIELD}
            onChange={(at) => change(at ?? "")}
          />
        )}
      </Field>
      <div className="actions">
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton pendingLabel="Rescheduling...">Reschedule</SubmitButton>
      </div>
    </Form>
  );
}
