/** The section About: a portrait, a text about the performer, and statistics. */
import type { CSSProperties } from "react";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { createTitleFitStyle } from "../parts/fitTitle.ts";
import { Photo } from "../parts/Photo.tsx";
import { TextLine } from "../parts/TextLine.tsx";

/** Renders the section About. It shows the bundled portrait if the owner has no portrait. */
export function About(page: LoadedPage) {
  const { title, content, image } = getSingletonValue(page.content, "about");
  const { assets } = usePageContext();
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
              crop="about"
              className="about-portrait"
            />
          </div>
        )}
        <div>
          <h2
            id="about-title"
            className="title fitted"
            dir="auto"
            style={createTitleFitStyle(title)}
          >
            <TextLine text={title} />
          </h2>
          <div
            className="rich"
            dir="auto"
            data-quote={findPullQuote(content)}
            dangerouslySetInnerHTML={{ __html: content }}
          />
        </div>
      </div>
      <Statistics {...page} />
    </section>
  );
}

/** The maximum lengths of a pull quote, in characters: of a whole text (`alone`), and of a first paragraph. */
const MAX_QUOTE_LENGTHS = { alone: 240, first: 180 };

/** Returns the part of a text that becomes a pull quote, if any: a whole short text, or a short first paragraph. */
function findPullQuote(html: string): "all" | "first" | undefined {
  const [, first = "", rest = ""] = /^\s*<p[^>]*>([\s\S]*?)<\/p>([\s\S]*)$/.exec(html) ?? [];
  if (countVisibleCharacters(first) === 0 || /<(?:h[1-6]|img)\b/.test(html)) return undefined;
  const isShort =
    countVisibleCharacters(html) < MAX_QUOTE_LENGTHS.alone && !/<(?:ul|ol)\b/.test(rest);
  if (isShort) return "all";
  return countVisibleCharacters(first) < MAX_QUOTE_LENGTHS.first ? "first" : undefined;
}

const countVisibleCharacters = (html: string) => html.replace(/<[^<>]*>|&\w+;/g, " ").trim().length;

/** Only the statistics, on the background of About, for the dashboard's preview. */
export function StatisticsPreview(page: LoadedPage) {
  return (
    <section className="section about">
      <Statistics {...page} />
    </section>
  );
}

function Statistics({ content }: LoadedPage) {
  const statistics = content.statistics ?? [];
  if (statistics.length === 0) return null;
  return (
    <dl
      className="statistics"
      style={{ "--most-columns": chooseColumnCount(statistics.length) } as CSSProperties}
    >
      {statistics.map(({ id, value, label }) => (
        <div key={id} className="statistic" dir="auto">
          <dt>
            <TextLine text={label} />
          </dt>
          <dd className="fitted" style={createTitleFitStyle(value)}>
            <StatisticValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the number of statistics in a row: at most four, so that rows are equally long if possible. */
function chooseColumnCount(count: number): number {
  return count <= 4 ? count : Math.min(4, Math.ceil(count / 2));
}

/** The number of a statistic, with its suffix ("+", "M") in the accent color. */
function StatisticValue({ value }: { value: string }) {
  const [, number = value, unit = ""] = /^(.*?\d)(\D{0,2})$/.exec(value) ?? [];
  return (
    <>
      {number}
      {unit && <span className="unit">{unit}</span>}
    </>
  );
}
