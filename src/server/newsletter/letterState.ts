/** Letters and the state of the mailing list, for the dashboard. */
import { entities } from "../../schema/index.ts";
import type {
  LetterDetail,
  LettersState,
  LetterSummary,
  DeliveryProblem,
} from "../../schema/api/letterResponses.ts";
import { findItem } from "../storage/store.ts";
import { REACHABLE_SUBSCRIBER_FILTER } from "./audience.ts";
import { getMaxLettersPerMinute } from "../mail/transports/mailer.ts";
import { createBounceReportUrl, SIGNING_PROVIDERS } from "./bounceReportRoute.ts";
import type { LettersContext } from "./context.ts";
import type { Letter } from "./renderLetter.ts";

type StateContext = Pick<LettersContext, "store" | "mail">;

export async function readLettersState(context: StateContext): Promise<LettersState> {
  const { store, mail } = context;
  const { doubleOptIn, welcome, welcomeText, postalAddress, archive, reportSecret } = store
    .of(entities.letterSettings)
    .read().value;
  const { items } = await store
    .of(entities.letters)
    .readPage({ newestFirst: true, offset: 0, limit: MAX_LISTED_LETTERS });
  const subscriptions = store.of(entities.emailSubscriptions);
  const reachableSubscribers = await subscriptions.readKeys(REACHABLE_SUBSCRIBER_FILTER);
  const sources = Map.groupBy(reachableSubscribers, ({ source }) => source);
  const activeCount = await subscriptions.count({ status: "active" });
  return {
    letters: await Promise.all(items.map((letter) => readLetterSummary(context, letter))),
    settings: { doubleOptIn, welcome, welcomeText, postalAddress, archive },
    hasMail: mail.getAccount() !== undefined,
    hasAddress: mail.getBranding().siteUrl !== undefined,
    active: reachableSubscribers.length,
    pending: await subscriptions.count({ status: "pending" }),
    unsubscribed: await subscriptions.count({ status: "unsubscribed" }),
    unreachable: activeCount - reachableSubscribers.length,
    sources: [...sources].map(([source, { length }]) => ({ source, count: length })),
    reports: createBounceReportUrl(context),
    hasReportSecret: SIGNING_PROVIDERS.has(mail.getAccount()?.credentials.account.kind ?? "")
      ? reportSecret !== ""
      : null,
  };
}

const MAX_LISTED_LETTERS = 200;

/** Returns a letter without its text, with the current counts while it is being sent, and the final ones later. */
export async function readLetterSummary(
  context: StateContext,
  letter: Letter,
): Promise<LetterSummary> {
  const { id, subject, state, sendAt, changedAt, startedAt, finishedAt } = letter;
  const { isPublic, problem, total, leftOut, unsubscribed } = letter;
  const times = { sendAt, changedAt, startedAt, finishedAt };
  const numbers = { total, leftOut, unsubscribed, ...(await countDeliveries(context, letter)) };
  return { id, subject, state, ...times, isPublic, problem, ...numbers };
}

async function countDeliveries({ store, mail }: StateContext, letter: Letter) {
  const progress = findItem(store, entities.letterProgress, letter.id);
  const where = { letterId: letter.id };
  const recipients = progress ? await store.of(entities.letterRecipients).readKeys(where) : [];
  const countRecipients = (state: string) => recipients.filter((row) => row.state === state).length;
  return {
    sent: progress?.sent ?? letter.sent,
    refused: progress ? countRecipients("refused") : letter.refused,
    waiting: countRecipients("again"),
    pace: getMaxLettersPerMinute(mail.getAccount()?.credentials.account) ?? null,
  };
}

const MAX_LISTED_PROBLEMS = 200;

export async function readLetterDetail(
  context: StateContext,
  letter: Letter,
): Promise<LetterDetail> {
  const { items } = await context.store.of(entities.letterRecipients).readPage({
    where: { letterId: letter.id, state: { not: "waiting" } },
    newestFirst: true,
    offset: 0,
    limit: MAX_LISTED_PROBLEMS,
  });
  const problems = items.map(({ to, state, problem, said, nextAt }): DeliveryProblem => ({
    to,
    state: state === "again" ? "again" : "refused",
    problem,
    said,
    nextAt: new Date(nextAt).toISOString(),
  }));
  return { ...letter, ...(await countDeliveries(context, letter)), troubles: problems };
}
