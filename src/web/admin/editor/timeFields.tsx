/** The inputs for a date with a time of day, and for a time zone. */
import { usePageContext } from "../../shared/pageContext.ts";
import { resolveSkippedTime, formatLocalTime } from "../../shared/localTime.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import type { InputProps } from "./inputProps.ts";
import css from "./time.css" with { type: "text" };
import { normalizeText } from "../../../schema/core/boundedUnicode.ts";
import { formatZoneCity } from "../../../schema/core/formatDate.ts";
import { useEffect, useState } from "react";

export function WallTimeField(props: InputProps) {
  useStylesheet(css);
  const { control, label, values, onChange, onBlur, isDayOnly, hasAutofocus } = props;
  const { value } = control;
  const pageContext = usePageContext();
  const [day = "", time = ""] = String(value ?? "").split("T");
  const replacementTime = findReplacementTime(
    value,
    String(values?.["timeZone"] || pageContext.zone),
  );
  const setDateTime = (newDay: string, newTime: string) =>
    onChange(newDay || newTime ? `${newDay}T${newTime}` : null);
  return (
    <>
      <div className="wall-time row">
        <input
          {...control}
          type="date"
          data-autofocus={hasAutofocus || undefined}
          aria-label={`${label}: date`}
          min="2000-01-01"
          max="2100-12-31"
          value={day}
          onChange={({ target }) => setDateTime(target.value, isDayOnly ? "00:00" : time)}
          onBlur={onBlur}
        />
        {!isDayOnly && (
          <input
            {...control}
            id={`${control.id}-time`}
            type="time"
            aria-label={`${label}: time`}
            value={time}
            onChange={({ target }) => setDateTime(day, target.value)}
            onBlur={onBlur}
          />
        )}
      </div>
      {replacementTime && !isDayOnly && (
        <p className="field-hint">
          {`${time} doesn't exist on that day because the clocks change. ${replacementTime.slice(-5)} is used instead.`}
        </p>
      )}
    </>
  );
}

/** Returns the time that is used instead of a time that the clocks skip. Undefined for other times. */
function findReplacementTime(value: unknown, zone: string): string | undefined {
  const isComplete = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value);
  try {
    return isComplete ? resolveSkippedTime(value, zone) : undefined;
  } catch {
    // The browser doesn't support the time zone. The server checks the time.
    return undefined;
  }
}

/** The field for a time zone: a search by city, a list, and the current time in the chosen zone. */
export function TimeZoneField(props: InputProps) {
  useStylesheet(css);
  const { onChange, onBlur } = props;
  const { readOnly, ...control } = props.control;
  const { id, value } = control;
  const { zone: siteZone } = usePageContext();
  const [search, setSearch] = useState("");
  const matches = listTimeZones().filter(
    (zone) =>
      zone === value ||
      [zone, formatZone(zone)].some((name) => removeAccents(name).includes(removeAccents(search))),
  );
  return (
    <div className="time-zone split">
      <input
        type="search"
        aria-label={`${props.label}, search by city`}
        placeholder="Search by city"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <select
        {...control}
        disabled={readOnly}
        aria-describedby={`${control["aria-describedby"] ?? ""} ${id}-there`.trim()}
        // A search shows its matches as a list.
        size={search ? Math.min(matches.length + 1, 6) : undefined}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
      >
        <option value="">{props.noneLabel ?? "Server's time zone"}</option>
        {value && !matches.includes(value) && <option value={value}>{formatZone(value)}</option>}
        {matches.map((zone) => (
          <option key={zone} value={zone}>
            {formatZone(zone)}
          </option>
        ))}
      </select>
      <output id={`${id}-there`} className="quiet small">
        <ZoneTime zone={value || siteZone} />
      </output>
    </div>
  );
}

function ZoneTime({ zone }: { zone: string }) {
  const [, refresh] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => refresh((times) => times + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  return <>Current time there: {formatCurrentTime(zone)}</>;
}

/** Returns a time such as "14:05". Empty if the browser doesn't support the time zone. */
function formatCurrentTime(zone: string): string {
  try {
    return formatLocalTime(Date.now(), zone).slice(11);
  } catch {
    return "";
  }
}

const listTimeZones = () => Intl.supportedValuesOf("timeZone");

/** Returns a name such as "New York (America)". */
function formatZone(zone: string): string {
  const regions = zone.replaceAll("_", " ").split("/").slice(0, -1);
  const city = formatZoneCity(zone);
  return regions.length === 0 ? city : `${city} (${regions.join(", ")})`;
}

const removeAccents = (text: string) =>
  (normalizeText(text.replaceAll("_", " "), "NFD", 100) ?? "")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
