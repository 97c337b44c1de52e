/** Dates: the next ones, the rest folded, and a calendar link. */
import { LASTS } from "../../../schema/sections/eventTimes.ts";
import { type LoadedPage, valueOf } from "../../shared/content.ts";
import { useShell } from "../../shared/shell.ts";
import { nowIn } from "../../shared/wallClock.ts";
import { fill } from "../../words/fill.ts";
import { useWords } from "../../words/siteWords.ts";
import { SectionNote, SectionShell } from "../parts/SectionShell.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";
import { Folded } from "./folded/Folded.tsx";
import { DateRow, type Event, type OnPage } from "./DateRow.tsx";

/** The number of past dates shown, if the owner wants that. */
const LAST = 5;

/** Nothing without dates; the owner's text if all are past. */
export function Dates({ content }: LoadedPage) {
  const { over, zone, today } = useShell();
  const events = content.events ?? [];
  const titles = new Set(events.map(({ title }) => title));
  const isTour = events.length > 1 && titles.size === 1;
  const on = { ...useWords(), today, zone, repeated: repeatedTitles(events), isTour };
  if (events.length === 0) return null;
  const settings = valueOf(content, "eventSettings");
  const isOver = over ? ({ id }: Event) => over.includes(id) : overIn(zone);
  const coming = events.filter((event) => !isOver(event));
  const past = settings.past === "last" ? events.filter(isOver).toReversed().slice(0, LAST) : [];
  return (
    <>
      <ExtraStyles of="dates" />
      <SectionShell
        id="dates"
        className="dates"
        settings={settings}
        note={<SectionNote text={settings.description} />}
      >
        {coming.length > 0 ? (
          <Coming events={coming} atOnce={settings.onPage} on={on} />
        ) : (
          <None message={settings.noDates} />
        )}
        {past.length > 0 && <Past events={past} on={on} />}
      </SectionShell>
    </>
  );
}

/** The past ones, for previews, by the browser's clock: after three hours if there is no end. */
function overIn(zone: string): (event: Event) => boolean {
  return ({ startsAt, endsAt, allDay, timeZone }) => {
    const now = nowIn(timeZone || zone);
    if (allDay) return (endsAt ?? startsAt).slice(0, 10) < now.slice(0, 10);
    if (endsAt) return endsAt <= now;
    return Date.parse(`${startsAt}Z`) + LASTS <= Date.parse(`${now}Z`);
  };
}

function repeatedTitles(events: readonly Event[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const isRepeated = ({ title }: Event) => seen.has(title) || !seen.add(title);
  return new Set(events.filter(isRepeated).map(({ title }) => title));
}

interface ComingProps {
  readonly events: readonly Event[];
  readonly on: OnPage;
  readonly atOnce: number;
}

function Coming({ events, atOnce, on }: ComingProps) {
  const { address } = useShell();
  const { words, lang } = on;
  const [next, later] = [events.slice(0, atOnce), events.slice(atOnce)];
  const feed = address ? address.replace(/^https?:/, "webcal:") : "";
  return (
    <>
      <List events={next} on={on} />
      {later.length > 0 && (
        <Folded title={fill(words.dates.all, { count: events.length })} lang={lang}>
          <List events={later} on={on} from={next.length + 1} />
        </Folded>
      )}
      <a className="dates-feed" href={`${feed}/dates.ics`} lang={lang}>
        {words.dates.calendar}
      </a>
    </>
  );
}

function Past({ events, on }: Pick<ComingProps, "events" | "on">) {
  return (
    <Folded title={on.words.dates.past} lang={on.lang}>
      <List events={events} on={on} isOver />
    </Folded>
  );
}

interface ListProps {
  readonly events: readonly Event[];
  readonly on: OnPage;
  /** The first one's number in a continued list. */
  readonly from?: number;
  readonly isOver?: boolean;
}

function List({ events, on, from, isOver = false }: ListProps) {
  return (
    <ol start={from}>
      {events.map((event) => (
        <li key={event.id}>
          <DateRow event={event} on={on} isOver={isOver} />
        </li>
      ))}
    </ol>
  );
}

/** The owner's text, and the mailing list if the page has its button. */
function None({ message }: { readonly message: string }) {
  const { styles } = useShell();
  const { words, lang } = useWords();
  return (
    <>
      <p dir="auto">
        <TextLine text={message} />
      </p>
      {!styles.hiddenSections.includes("updates") && (
        <button
          type="button"
          className="button quiet"
          data-updates=""
          aria-haspopup="dialog"
          lang={lang}
        >
          {words.mailingList.tab}
        </button>
      )}
    </>
  );
}
