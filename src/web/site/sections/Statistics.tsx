/** The performer in figures. */
import type { LoadedPage } from "../../content.ts";
import { fitted } from "../fitted.ts";

/** Shows every statistic in a row between hairlines, or nothing when there is none. */
export function Statistics({ content }: LoadedPage) {
  const statistics = content.statistics ?? [];
  if (statistics.length === 0) return null;
  return (
    <dl className="statistics" data-columns={columnsFor(statistics.length)}>
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

/** The figures alone, on the ground they stand on in About: for the dashboard's preview. */
export function StatisticsAlone(page: LoadedPage) {
  return (
    <section className="section about">
      <Statistics {...page} />
    </section>
  );
}

/** Up to four in a row of a wide page; more are spread over rows evenly. */
function columnsFor(count: number): number {
  return count <= 4 ? count : Math.min(4, Math.ceil(count / 2));
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
