/** A time zone, searchable by city, and its current time. */
import { normalizedText } from "../../../schema/core/boundedUnicode.ts";
import { useEffect, useState } from "react";
import { useShell } from "../../shared/shell.ts";
import { wallAt } from "../../shared/wallClock.ts";
import { useSheet } from "../parts/useSheet.ts";
import type { InputProps } from "./inputProps.ts";
import css from "./time.css" with { type: "text" };

export function TimeZoneField(props: InputProps) {
  useSheet(css);
  const { onChange, onLeave } = props;
  const { readOnly, ...control } = props.control;
  const { id, value } = control;
  const { zone: own } = useShell();
  const [wanted, setWanted] = useState("");
  const found = zones().filter((zone) => zone === value || plain(zone).includes(plain(wanted)));
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
        // Shows the results during a search.
        size={wanted ? Math.min(found.length + 1, 6) : undefined}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onLeave}
      >
        <option value="">{props.noneLabel ?? "Server's time zone"}</option>
        {value && !found.includes(value) && <option value={value}>{placeIn(value)}</option>}
        {found.map((zone) => (
          <option key={zone} value={zone}>
            {placeIn(zone)}
          </option>
        ))}
      </select>
      <output id={`${id}-there`} className="quiet small tabular span-all">
        <TimeThere zone={value || own} />
      </output>
    </div>
  );
}

/** Updates with the minutes. */
function TimeThere({ zone }: { zone: string }) {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((times) => times + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  return <>Current time there: {timeThere(zone)}</>;
}

/** "14:05"; empty if this browser doesn't know the zone. */
function timeThere(zone: string): string {
  try {
    return wallAt(Date.now(), zone).slice(11);
  } catch {
    return "";
  }
}

const zones = () => Intl.supportedValuesOf("timeZone");

/** "New York (America)" */
function placeIn(zone: string): string {
  const around = zone.replaceAll("_", " ").split("/");
  const place = around.pop();
  return around.length === 0 ? `${place}` : `${place} (${around.join(", ")})`;
}

/** Without accents, for searching. */
const plain = (text: string) =>
  (normalizedText(text.replaceAll("_", " "), "NFD", 100) ?? "")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
