/** Who the performer is: a portrait, words and figures. */
import { type LoadedPage, valueOf } from "../../shared/content.ts";
import { useShell } from "../../shared/shell.ts";
import { fitted } from "../parts/fitted.ts";
import { Photo } from "../parts/Photo.tsx";

/** The bundled portrait stands in when none was chosen. */
export function About(page: LoadedPage) {
  const { title, content, image } = valueOf(page.content, "about");
  const { assets } = useShell();
  const portrait = image ?? assets.pictures["about-default"];
  return (
    <section id="about" className="section about" aria-labelledby="about-title">
      <div className="about-body" data-portrait={portrait ? "" : undefined}>
        {portrait && (
          <div className="about-frame">
            <Photo
              src={portrait}
              pictures={page.pictures}
              sizes="(min-width: 768px) 42vw, 88vw"
              className="about-portrait"
            />
          </div>
        )}
        <div className="about-words">
          <h2 id="about-title" className="title fitted" style={fitted(title)}>
            {title}
          </h2>
          <div className="rich" dangerouslySetInnerHTML={{ __html: content }} />
        </div>
      </div>
      <Statistics {...page} />
    </section>
  );
}

/** The figures alone, on About's background, for the dashboard's preview. */
export function StatisticsAlone(page: LoadedPage) {
  return (
    <section className="section about">
      <Statistics {...page} />
    </section>
  );
}

/** The performer in figures, in rows between hairlines; nothing without any. */
function Statistics({ content }: LoadedPage) {
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

/** Up to four in a row of a wide page; more are spread over rows evenly. */
function columnsFor(count: number): number {
  return count <= 4 ? count : Math.min(4, Math.ceil(count / 2));
}

/** The number, and what follows it ("+", "M") in the color of light. */
function Figure({ value }: { value: string }) {
  const [, number = value, unit = ""] = /^(.*?\d)(\D{0,2})$/.exec(value) ?? [];
  return (
    <>
      {number}
      {unit && <span className="unit">{unit}</span>}
    </>
  );
}
