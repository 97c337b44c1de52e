/** Takes what a mail provider reports: who can't be reached, and who called a letter unwanted, gets none any more. */
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import { PUBLIC_JSON, readBytes } from "../http/body.ts";
import { REPORTS } from "../http/requestLog.ts";
import { malformed, notFound, Refusal } from "../shared/errors.ts";
import type { LettersContext } from "./context.ts";
import { isSameText } from "../shared/sameText.ts";
import { type Report, REPORTERS } from "./reports.ts";

type ReportContext = Pick<LettersContext, "store" | "mail" | "clock"> & {
  /** Reads a page of the provider's. Default: over the network. */
  readonly read?: (url: string) => Promise<string>;
};

/** In milliseconds. */
const PATIENCE = 10_000;

const readPage = async (url: string) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: "error" });
  return response.text();
};

/** POST `/api/letters/reports/{key}`: 404 for another key, 403 for a wrong signature. */
export function reportRoute({ store, mail, clock, read = readPage }: ReportContext) {
  const settings = store.of(entities.letterSettings);
  const subscriptions = store.of(entities.emailSubscriptions);

  async function take({ email, why }: Report): Promise<void> {
    await subscriptions.updateUnique(email.trim().toLowerCase(), (row) => ({
      ...row,
      unreachable: row.unreachable === "complained" ? "complained" : why,
      ...(why === "complained" && { status: "unsubscribed" as const, owed: null }),
    }));
  }

  return new Elysia({ name: "letter-reports" }).post(
    `${REPORTS}:key`,
    async ({ request, params }) => {
      const { reportKey, reportSecret } = settings.read().value;
      const reports = REPORTERS[mail.sending()?.full.account.kind ?? ""];
      if (!reports || reportKey === "" || !isSameText(params.key, reportKey)) throw notFound();
      // Amazon calls its JSON text/plain.
      const body = new TextDecoder().decode(await readBytes(request, PUBLIC_JSON));
      const call = { headers: request.headers, body, secret: reportSecret, now: clock(), read };
      const found = await reports(call).catch(() => {
        throw malformed("This report couldn't be read.");
      });
      if (!found) throw new Refusal("not_allowed", "The signature of this report is wrong.");
      for (const report of found) await take(report); // oxlint-disable-line no-await-in-loop -- as a rule one
      return { taken: found.length };
    },
    { parse: "none" },
  );
}

/** Where the provider reports to; null where it reports nothing, or the site doesn't know its address. */
export function reportsAt({ store, mail }: Pick<LettersContext, "store" | "mail">): string | null {
  const kind = mail.sending()?.full.account.kind ?? "";
  const { siteUrl } = mail.stationery();
  if (!REPORTERS[kind] || siteUrl === undefined) return null;
  return `${siteUrl}${REPORTS}${store.of(entities.letterSettings).read().value.reportKey}`;
}
