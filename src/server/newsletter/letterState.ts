/** The state of letters and of the mailing list for the owner. */
import { entities } from "../../schema/index.ts";
import type {
  LetterDetail,
  LettersState,
  LetterSummary,
  DeliveryProblem,
} from "../../schema/api/letterResponses.ts";
import { findItem, type Store } from "../storage/store.ts";
import { REACHABLE_SUBSCRIBERS } from "./audience.ts";
import type { Mail } from "../mail/mail.ts";
import { bounceReportUrl, SIGNING_PROVIDERS } from "./bounceReportRoute.ts";
import type { LetterSender } from "./letterSender.ts";
import type { Letter } from "./renderLetter.ts";

interface StateContext {
  readonly store: Store;
  readonly mail: Mail;
  readonly sending: LetterSender;
}

export async function createLettersState(context: StateContext): Promise<LettersState> {
  const { store, mail } = context;
  const { doubleOptIn, welcome, welcomeText, postalAddress, archive, reportSecret } = store
    .of(entities.letterSettings)
    .read().value;
  const sending = await store
    .of(entities.letters)
    .page({ newestFirst: true, offset: 0, limit: MAX_LISTED_LETTERS });
  const subscriptions = store.of(entities.emailSubscriptions);
  const reached = await subscriptions.keys(REACHABLE_SUBSCRIBERS);
  const sources = Map.groupBy(reached, ({ source }) => source);
  const active = await subscriptions.count({ status: "active" });
  return {
    letters: await Promise.all(sending.items.map((letter) => createLetterSummary(context, letter))),
    settings: { doubleOptIn, welcome, welcomeText, postalAddress, archive },
    hasMail: mail.account() !== undefined,
    hasAddress: mail.stationery().siteUrl !== undefined,
    active: reached.length,
    pending: await subscriptions.count({ status: "pending" }),
    unsubscribed: await subscriptions.count({ status: "unsubscribed" }),
    unreachable: active - reached.length,
    sources: [...sources].map(([source, of]) => ({ source, count: of.length })),
    reports: bounceReportUrl(context),
    hasReportSecret: SIGNING_PROVIDERS.has(mail.account()?.full.account.kind ?? "")
      ? reportSecret !== ""
      : null,
  };
}

const MAX_LISTED_LETTERS = 200;

/** Live numbers while it is being sent, stored ones afterwards. */
export async function createLetterSummary(
  { store, sending }: Pick<StateContext, "store" | "sending">,
  letter: Letter,
): Promise<LetterSummary> {
  const { id, subject, state, sendAt, changedAt, startedAt, finishedAt, isPublic, problem } =
    letter;
  const { total, leftOut, unsubscribed } = letter;
  const progress = findItem(store, entities.letterProgress, id);
  const rows = progress ? await store.of(entities.letterRecipients).keys({ letterId: id }) : [];
  const count = (which: string) => rows.filter((row) => row.state === which).length;
  return {
    id,
    subject,
    state,
    sendAt,
    changedAt,
    startedAt,
    finishedAt,
    isPublic,
    problem,
    total,
    leftOut,
    unsubscribed,
    sent: progress?.sent ?? letter.sent,
    refused: progress ? count("refused") : letter.refused,
    waiting: count("again"),
    pace: sending.lettersPerMinute() ?? null,
  };
}

const MAX_LISTED_PROBLEMS = 200;

export async function createLetterDetail(
  context: StateContext,
  letter: Letter,
): Promise<LetterDetail> {
  const { preview, body, buttonText, buttonLink, audience, tested } = letter;
  const { items } = await context.store.of(entities.letterRecipients).page({
    where: { letterId: letter.id, state: { not: "waiting" } },
    newestFirst: true,
    offset: 0,
    limit: MAX_LISTED_PROBLEMS,
  });
  const troubles = items.map(({ to, state, problem, said, nextAt }): DeliveryProblem => ({
    to,
    state: state === "again" ? "again" : "refused",
    problem,
    said,
    nextAt: new Date(nextAt).toISOString(),
  }));
  const fields = { preview, body, buttonText, buttonLink, audience, tested };
  return { ...(await createLetterSummary(context, letter)), ...fields, troubles };
}
