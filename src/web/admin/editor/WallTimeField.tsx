/** Inputs for a date and a time of day. */
import { useShell } from "../../shared/shell.ts";
import { resolveSkippedTime } from "../../shared/localTime.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import type { InputProps } from "./inputProps.ts";
import css from "./time.css" with { type: "text" };

export function WallTimeField(props: InputProps) {
  useStylesheet(css);
  const { control, label, values, onChange, onLeave, isDayOnly, isFocused } = props;
  const { value } = control;
  const shell = useShell();
  const [day = "", time = ""] = String(value ?? "").split("T");
  const missing = describeSkippedTime(value, String(values?.["timeZone"] || shell.zone));
  const put = (nextDay: string, nextTime: string) =>
    onChange(nextDay || nextTime ? `${nextDay}T${nextTime}` : null);
  return (
    <>
      <div className="wall-time row">
        <input
          {...control}
          type="date"
          data-autofocus={isFocused || undefined}
          aria-label={`${label}: date`}
          min="2000-01-01"
          max="2100-12-31"
          value={day}
          onChange={({ target }) => put(target.value, isDayOnly ? "00:00" : time)}
          onBlur={onLeave}
        />
        {!isDayOnly && (
          <input
            {...control}
            id={`${control.id}-time`}
            type="time"
            aria-label={`${label}: time`}
            value={time}
            onChange={({ target }) => put(day, target.value)}
            onBlur={onLeave}
          />
        )}
      </div>
      {missing && !isDayOnly && (
        <p className="field-hint">
          {`${time} doesn't exist on that day because the clocks change. ${missing.slice(-5)} is used instead.`}
        </p>
      )}
    </>
  );
}

export function DayField(props: InputProps) {
  useStylesheet(css);
  return (
    <div className="wall-time row">
      <input
        {...props.control}
        type="date"
        value={props.control.value ?? ""}
        onChange={({ target }) => props.onChange(target.value || null)}
        onBlur={props.onLeave}
      />
    </div>
  );
}

/** The time used instead of a time that is skipped when clocks change; undefined for other times. */
function describeSkippedTime(value: unknown, zone: string): string | undefined {
  const isWhole = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value);
  try {
    return isWhole ? resolveSkippedTime(value, zone) : undefined;
  } catch {
    // This browser doesn't support the zone. The server checks the time.
    return undefined;
  }
}
