/** The section Dates: the next dates, a folded list of the others, and a link to the calendar feed. */
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { isEventOver } from "../../shared/isEventOver.ts";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { SectionShell } from "../parts/SectionShell.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";
import { FoldedContent } from "./folded/Folded.tsx";
import { DateRow, type DateEvent, type DatesContext } from "./DateRow.tsx";

/** The number of past dates shown, if the owner has chosen to show past dates. */
const MAX_PAST_DATES = 5;

/** Renders nothing without dates. If all dates are past, shows the owner's text for this case. */
export function Dates({ content }: LoadedPage) {
  const { pastEventIds, zone, today } = usePageContext();
  const events = content.events ?? [];
  const titles = new Set(events.map(({ title }) => title));
  const isTour = events.length > 1 && titles.size === 1;
  const context = {
    ...useWords(),
    today,
    zone,
    repeatedTitles: findRepeatedTitles(events),
    isTour,
  };
  if (events.length === 0) return null;
  const settings = getSingletonValue(content, "eventSettings");
  // Previews have no `pastEventIds`, so they use the browser's clock.
  const isOver = (event: DateEvent) => pastEventIds?.includes(event.id) ?? isEventOver(event, zone);
  const upcoming = events.filter((event) => !isOver(event));
  const past =
    settings.past === "last" ? events.filter(isOver).toReversed().slice(0, MAX_PAST_DATES) : [];
  return (
    <>
      <ExtraStyles extra="dates" />
      <SectionShell id="dates" className="dates" settings={settings}>
        {upcoming.length > 0 ? (
          <UpcomingDates events={upcoming} maxVisible={settings.onPage} context={context} />
        ) : (
          <NoDates message={settings.noDates} />
        )}
        {past.length > 0 && (
          <FoldedContent title={context.words.dates.pastDates} lang={context.lang}>
            <DateList events={past} context={context} isOver />
          </FoldedContent>
        )}
      </SectionShell>
    </>
  );
}

function findRepeatedTitles(events: readonly DateEvent[]): ReadonlySet<string> {
  const seenTitles = new Set<string>();
  const isRepeated = ({ title }: DateEvent) => seenTitles.has(title) || !seenTitles.add(title);
  return new Set(events.filter(isRepeated).map(({ title }) => title));
}

interface UpcomingDatesProps {
  readonly events: readonly DateEvent[];
  readonly context: DatesContext;
  readonly maxVisible: number;
}

function UpcomingDates({ events, maxVisible, context }: UpcomingDatesProps) {
  const { siteUrl } = usePageContext();
  const { words, lang } = context;
  const [visibleEvents, foldedEvents] = [events.slice(0, maxVisible), events.slice(maxVisible)];
  const feedOrigin = siteUrl ? siteUrl.replace(/^https?:/, "webcal:") : "";
  return (
    <>
      <DateList events={visibleEvents} context={context} />
      {foldedEvents.length > 0 && (
        <FoldedContent
          title={fillPlaceholders(words.dates.allCount, { count: events.length })}
          lang={lang}
        >
          <DateList
            events={foldedEvents}
            context={context}
            firstNumber={visibleEvents.length + 1}
          />
        </FoldedContent>
      )}
      <a className="dates-feed" href={`${feedOrigin}/dates.ics`} lang={lang}>
        {words.dates.calendar}
      </a>
    </>
  );
}

interface DateListProps {
  readonly events: readonly DateEvent[];
  readonly context: DatesContext;
  /** The number of the first date, for a list that continues another list. */
  readonly firstNumber?: number;
  readonly isOver?: boolean;
}

function DateList({ events, context, firstNumber, isOver = false }: DateListProps) {
  return (
    <ol start={firstNumber}>
      {events.map((event) => (
        <li key={event.id}>
          <DateRow event={event} context={context} isOver={isOver} />
        </li>
      ))}
    </ol>
  );
}

/** The owner's text for a time without dates, with a button for the mailing list unless the owner has hidden it. */
function NoDates({ message }: { readonly message: string }) {
  const { styles } = usePageContext();
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
