/** The performer in figures. */
import type { LoadedPage } from "../../content.ts";
import { fitted } from "../fitted.ts";

/** Shows every statistic in a row between hairlines, or nothing when there is none. */
export function Statistics({ content }: LoadedPage) {
  const statistics = content.statistics ?? [];
  if (statistics.length === 0) return null;
  return (
    <dl className="statistics">
      {statistics.map(({ id, value, label }) => (
        <div key={id} className="statistic">
          <dt>{label}</dt>
          <dd className="fitted" style={fitted(value)}>
            <Figure value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The number, and what follows it ("+", "M") in the colour of light. */
function Figure({ value }: { value: string }) {
  const [, number = value, unit = ""] = /^(.*?\d)(\D{0,2})$/.exec(value) ?? [];
  return (
    <>
      {number}
      {unit && <span className="unit">{unit}</span>}
    </>
  );
}
