/** The call times suggested in a reply, with duration and type of call. */
import CalendarClock from "lucide-react/icons/calendar-clock";
import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import {
  CALL_LENGTHS_MINUTES,
  CALL_METHODS,
  MAX_LOCATION_LENGTH,
  MAX_TIMES_PER_REPLY,
} from "../../../../schema/enquiry/calls.ts";
import { wallTime } from "../../../../schema/kinds/fields.ts";
import type { ReplyThread, UpcomingTime } from "../../../../schema/api/mailResponses.ts";
import { DAY, HOUR, MINUTE } from "../../../../schema/core/time.ts";
import { formatZoneCity } from "../../../../schema/core/formatDate.ts";
import { replaceSkippedTime, findNextFullHour, formatLocalNow } from "../../../shared/localTime.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, TextField } from "../../../ui/Field.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import type { FormState } from "../../../ui/Form.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { WallTimeField } from "../../editor/timeFields.tsx";

/** The suggested call. If `at` is empty, the reply suggests no times. */
interface SuggestedTimesValues {
  /** Local times in the site's time zone. */
  readonly at: readonly string[];
  readonly minutes: (typeof CALL_LENGTHS_MINUTES)[number];
  readonly how: (typeof CALL_METHODS)[number]["value"];
  readonly where: string;
}

export const EMPTY_SUGGESTION: SuggestedTimesValues = {
  at: [],
  minutes: 30,
  how: "call",
  where: "",
};

interface TimeSuggestionsProps {
  readonly form: FormState<SuggestedTimesValues>;
  readonly times: NonNullable<ReplyThread["times"]>;
}

export function TimeSuggestions({ form, times }: TimeSuggestionsProps) {
  const { at } = form.values;
  const { zone, refusal } = times;
  if (at.length === 0)
    return (
      <div className="suggest-times separated stack gap-12 border-top">
        <Button
          disabled={form.isPending || refusal !== null}
          onClick={() => form.setValues({ at: createSuggestions(zone) })}
        >
          <CalendarClock size={16} aria-hidden="true" /> Suggest times
        </Button>
        {refusal !== null && <p className="field-hint">{refusal}</p>}
      </div>
    );
  return (
    <section className="suggest-times separated stack gap-12 border-top" aria-label="Suggest times">
      <header className="row justify-between">
        <h4>Suggest times</h4>
        <span className="quiet">{formatZoneCity(zone)} time</span>
      </header>
      <ol className="stack">
        {at.map((value, index) => (
          <TimeRow
            // oxlint-disable-next-line react/no-array-index-key -- rows have no ids
            key={index}
            form={form}
            times={times}
            index={index}
            value={value}
            onChange={(next) => form.setValues({ at: at.with(index, next) })}
            onRemove={() => form.setValues({ at: at.toSpliced(index, 1) })}
          />
        ))}
      </ol>
      {form.errors["at"] && <p className="field-error">{form.errors["at"]}</p>}
      {at.length < MAX_TIMES_PER_REPLY && (
        <Button
          variant="quiet"
          disabled={form.isPending}
          onClick={() =>
            form.setValues({
              at: [...at, findNextFullHour(at.at(-1) ?? formatLocalNow(zone), zone)],
            })
          }
        >
          <Plus size={16} aria-hidden="true" /> Add another time
        </Button>
      )}
      <CallFields form={form} number={times.number} />
    </section>
  );
}

/** The suggested times of day, one for each of the next working days. */
const SUGGESTED_HOURS = ["10:00", "14:00", "17:00"];

const MIN_NOTICE_MS = 12 * HOUR;

/** Returns a time on each of the next working days, in the site's time zone, at least 12 hours from now. */
function createSuggestions(zone: string): string[] {
  const now = Date.parse(`${formatLocalNow(zone)}Z`);
  const times: string[] = [];
  for (let day = now + DAY; times.length < SUGGESTED_HOURS.length; day += DAY) {
    const date = new Date(day);
    const isWeekend = date.getUTCDay() % 6 === 0;
    const time = `${date.toISOString().slice(0, 10)}T${SUGGESTED_HOURS[times.length]}`;
    if (!isWeekend && Date.parse(`${time}Z`) - now >= MIN_NOTICE_MS) times.push(time);
  }
  return times;
}

interface TimeRowProps extends TimeSuggestionsProps {
  readonly index: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onRemove: () => void;
}

function TimeRow({ form, times, index, value, onChange, onRemove }: TimeRowProps) {
  const error = form.errors[`at.${index}`];
  const label = `Time ${index + 1}`;
  const overlappingTime = findOverlappingTime(value, form.values.minutes, times);
  return (
    <li>
      <div className="row align-start">
        <div className="grow">
          <Field
            state={{ value, setValue: onChange, error, isUrgent: true }}
            label={label}
            labelElement="none"
          >
            {(control, change) => (
              <WallTimeField
                control={control}
                label={label}
                declaration={TIME_FIELD}
                values={{ timeZone: times.zone }}
                onChange={(next) => change(String(next ?? ""))}
              />
            )}
          </Field>
        </div>
        <IconButton icon={X} label={`Remove time ${index + 1}`} onClick={onRemove} />
      </div>
      {overlappingTime && (
        <p className="note" data-tone="warn">
          {`This overlaps with a time that ${overlappingTime.who} was offered or has booked.`}
        </p>
      )}
    </li>
  );
}

const TIME_FIELD = wallTime("Time");

function findOverlappingTime(
  value: string,
  minutes: number,
  { taken, zone }: TimeSuggestionsProps["times"],
): UpcomingTime | undefined {
  const start = Date.parse(`${replaceSkippedTime(value, zone)}Z`);
  if (Number.isNaN(start)) return undefined;
  return taken.find((each) => {
    const otherStart = Date.parse(`${each.at}Z`);
    return start < otherStart + each.minutes * MINUTE && otherStart < start + minutes * MINUTE;
  });
}

function CallFields({ form, number }: { form: FormState<SuggestedTimesValues>; number: string }) {
  const { how } = form.values;
  return (
    <div className="meeting-fields split">
      <SelectField
        name="minutes"
        label="Duration"
        options={CALL_LENGTHS_MINUTES.map((minutes) => ({
          value: minutes,
          label: `${minutes} minutes`,
        }))}
      />
      <SelectField
        name="how"
        label="Type of call"
        options={CALL_METHODS.map(({ value, label }) => ({
          value,
          label: value === "call" && number !== "" ? `${label} on ${number}` : label,
        }))}
      />
      {how === "online" && (
        <TextField name="where" label="Link" type="url" placeholder="https://" />
      )}
      {how === "place" && (
        <TextField name="where" label="Where" maxCharacters={MAX_LOCATION_LENGTH} />
      )}
    </div>
  );
}
