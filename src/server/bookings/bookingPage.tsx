/** The page where a visitor chooses a suggested time, in the site's language and without scripts. */
import type { ReactNode } from "react";
import { MAX_DECLINE_MESSAGE_LENGTH } from "../../schema/enquiry/calls.ts";
import { translateRefusalMessage, getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { computeCallStart } from "../shared/callTimes.ts";
import type { Refusal } from "../shared/errors.ts";
import { type PageBranding, createPlainPage } from "../shared/plainPage.tsx";
import type { BookingPageState } from "./bookings.ts";
import {
  formatTimeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";

export interface BookingPageOptions {
  readonly now: number;
  readonly selectedIndex?: number;
  /** The error of the posted form, shown at the top of the page. */
  readonly refusal?: Refusal;
  /** The visitor's posted message to the owner. */
  readonly message?: string;
}

interface BookingPageContent {
  readonly status?: number;
  readonly title: string;
  readonly body: ReactNode;
}

export function renderBookingPage(
  site: PageBranding,
  state: BookingPageState,
  options: BookingPageOptions,
): Response {
  const translation = getWords(site.language);
  const { status = 200, title, body } = createBookingPageContent(site, translation, state, options);
  const { refusal } = options;
  return createPlainPage(site, {
    title,
    status: refusal?.status ?? status,
    style: PAGE_STYLE,
    headers: refusal?.details.headers,
    body: (
      <>
        {refusal && <p role="alert">{translateRefusalMessage(translation, refusal.message)}</p>}
        {body}
      </>
    ),
  });
}

function createBookingPageContent(
  site: PageBranding,
  translation: SiteWords,
  state: BookingPageState,
  options: BookingPageOptions,
): BookingPageContent {
  const { callTimes, subscriptionPages, answers, goHome } = translation.words;
  const fillSiteName = (sentence: string) => fillPlaceholders(sentence, { name: site.siteName });
  const createEndPage = (status: number, title: string, text: string): BookingPageContent => ({
    status,
    title,
    body: (
      <>
        <p>{text}</p>
        <p>
          <a className="home" href="/">
            {goHome}
          </a>
        </p>
      </>
    ),
  });
  switch (state.kind) {
    case "broken":
      return createEndPage(404, subscriptionPages.brokenTitle, subscriptionPages.brokenText);
    case "ended":
      return createEndPage(410, subscriptionPages.expiredTitle, fillSiteName(callTimes.expired));
    case "declined":
      return createEndPage(200, callTimes.declined, fillSiteName(callTimes.declinedText));
    case "chosen":
      return createChosenTimeContent(site, translation, state, options.now);
    case "open": {
      const textByProblem = { taken: callTimes.timeUnavailable, none: answers.choose } as const;
      const statusByProblem = { taken: 409, none: 422 } as const;
      return {
        status: state.problem ? statusByProblem[state.problem] : 200,
        title: callTimes.chooseTitle,
        body: (
          <>
            {state.problem && <p role="alert">{textByProblem[state.problem]}</p>}
            {state.times.length > 0 ? (
              <TimesForm site={site} translation={translation} state={state} options={options} />
            ) : (
              <p>{fillSiteName(callTimes.noneLeft)}</p>
            )}
            <DeclineForm
              label={fillSiteName(callTimes.messageLabel)}
              button={callTimes.noneWork}
              message={options.message}
            />
          </>
        ),
      };
    }
  }
}

function createChosenTimeContent(
  site: PageBranding,
  translation: SiteWords,
  { booking, questions }: Extract<BookingPageState, { kind: "chosen" }>,
  now: number,
): BookingPageContent {
  const { callTimes } = translation.words;
  const start = computeCallStart(booking);
  const time = formatDateTime(start, booking.zone, translation.locale, now);
  const recipientTime = formatTimeInRecipientZone(booking, questions, translation);
  return {
    title: fillPlaceholders(callTimes.bookedTitle, { time }),
    body: (
      <>
        <p>
          {formatZone(start, booking.zone, translation)}
          <br />
          {recipientTime}
          {recipientTime && <br />}
          {fillPlaceholders(callTimes.duration, { minutes: booking.minutes })}
          <br />
          {describeLocation(booking, site.siteName, translation)}
        </p>
        <p>{callTimes.bookedText}</p>
      </>
    ),
  };
}

interface TimesFormProps {
  readonly site: PageBranding;
  readonly translation: SiteWords;
  readonly state: Extract<BookingPageState, { kind: "open" }>;
  readonly options: BookingPageOptions;
}

function TimesForm({ site, translation, state, options }: TimesFormProps) {
  const { times } = state;
  const { questions } = state.submission;
  const { now, selectedIndex } = options;
  const { words, locale } = translation;
  const firstTime = times[0]?.suggestedTime;
  return (
    // A form without an `action` posts to the page's URL, which contains the token.
    <form method="post">
      {firstTime && (
        <p className="quiet">
          {fillPlaceholders(words.callTimes.duration, { minutes: firstTime.minutes })} ·{" "}
          {describeLocation(firstTime, site.siteName, translation)}
        </p>
      )}
      <fieldset>
        <legend className="visually-hidden">{words.callTimes.chooseTitle}</legend>
        {times.map(({ index, suggestedTime }) => {
          const start = computeCallStart(suggestedTime);
          const recipientTime = formatTimeInRecipientZone(suggestedTime, questions, translation);
          return (
            <label key={index}>
              <input
                type="radio"
                name="time"
                value={index}
                required
                defaultChecked={index === selectedIndex}
              />
              <span>
                <b>{formatDateTime(start, suggestedTime.zone, locale, now)}</b>
                <small>{formatZone(start, suggestedTime.zone, translation)}</small>
                {recipientTime && <small>{recipientTime}</small>}
              </span>
            </label>
          );
        })}
      </fieldset>
      <button type="submit">{words.callTimes.chooseTime}</button>
    </form>
  );
}

interface DeclineFormProps {
  readonly label: string;
  readonly button: string;
  readonly message: string | undefined;
}

function DeclineForm({ label, button, message }: DeclineFormProps) {
  return (
    <form method="post" className="decline-form">
      <label htmlFor="line">{label}</label>
      <textarea id="line" name="line" rows={2} defaultValue={message} dir="auto" />
      {message !== undefined && message.length > MAX_DECLINE_MESSAGE_LENGTH && (
        <p className="quiet">{`${message.length} / ${MAX_DECLINE_MESSAGE_LENGTH}`}</p>
      )}
      <button type="submit" className="quiet" name="none" value="1">
        {button}
      </button>
    </form>
  );
}

const PAGE_STYLE = `
fieldset { margin: 0 0 24px; padding: 0; border: 0; border-bottom: 1px solid var(--line); }
.visually-hidden { position: absolute; clip-path: inset(50%); }
label { display: flex; }
fieldset > label { gap: 14px; align-items: start; min-height: 44px; padding: 12px 0; border-top: 1px solid var(--line); font-weight: 400; cursor: pointer; }
b, small { display: block; }
button:not(.quiet) { width: 100%; }
.decline-form { margin-top: 28px; padding-top: 24px; border-top: 1px solid var(--line); }
.decline-form > label { margin-bottom: 8px; }
.decline-form > textarea { margin: 0 0 4px; }
`;
