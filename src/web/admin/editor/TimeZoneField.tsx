/** A time zone: a search by city, a list, and the zone's current time. */
import { normalizeText } from "../../../schema/core/boundedUnicode.ts";
import { useEffect, useState } from "react";
import { useShell } from "../../shared/shell.ts";
import { formatLocalTime } from "../../shared/localTime.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import type { InputProps } from "./inputProps.ts";
import css from "./time.css" with { type: "text" };

export function TimeZoneField(props: InputProps) {
  useStylesheet(css);
  const { onChange, onLeave } = props;
  const { readOnly, ...control } = props.control;
  const { id, value } = control;
  const { zone: siteZone } = useShell();
  const [wanted, setWanted] = useState("");
  const matches = listTimeZones().filter(
    (zone) => zone === value || removeAccents(zone).includes(removeAccents(wanted)),
  );
  return (
    <div className="time-zone split">
      <input
        type="search"
        aria-label={`${props.label}, search by city`}
        placeholder="Search by city"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      <select
        {...control}
        disabled={readOnly}
        aria-describedby={`${control["aria-describedby"] ?? ""} ${id}-there`.trim()}
        // The list shows the matches during a search.
        size={wanted ? Math.min(matches.length + 1, 6) : undefined}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onLeave}
      >
        <option value="">{props.noneLabel ?? "Server's time zone"}</option>
        {value && !matches.includes(value) && <option value={value}>{formatZone(value)}</option>}
        {matches.map((zone) => (
          <option key={zone} value={zone}>
            {formatZone(zone)}
          </option>
        ))}
      </select>
      <output id={`${id}-there`} className="quiet small tabular">
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

/** "14:05"; empty if this browser doesn't support the zone. */
function formatCurrentTime(zone: string): string {
  try {
    return formatLocalTime(Date.now(), zone).slice(11);
  } catch {
    return "";
  }
}

const listTimeZones = () => Intl.supportedValuesOf("timeZone");

/** "New York (America)" */
function formatZone(zone: string): string {
  const around = zone.replaceAll("_", " ").split("/");
  const city = around.pop();
  return around.length === 0 ? `${city}` : `${city} (${around.join(", ")})`;
}

const removeAccents = (text: string) =>
  (normalizeText(text.replaceAll("_", " "), "NFD", 100) ?? "")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
