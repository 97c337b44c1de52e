/** The route for a mail provider's reports of bounces and complaints. Reported addresses get no more letters. */
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import {
  assertJsonShape,
  MAX_DASHBOARD_JSON_BYTES,
  MAX_PUBLIC_JSON_BYTES,
  readBytes,
} from "../http/body.ts";
import { malformed, notFound, Refusal } from "../shared/errors.ts";
import type { LettersContext } from "./context.ts";
import { constantTimeEqual } from "../shared/secrets.ts";
import {
  type BounceReport,
  type ParseReports,
  REPORT_PARSERS,
  type ReportRequest,
} from "./bounceReports.ts";

type ReportContext = Pick<LettersContext, "store" | "mail" | "clock">;

export const REPORTS_PATH = "/api/letters/reports";

/** The kinds of accounts whose provider signs its reports. For others, the report URL contains a key. */
export const SIGNING_PROVIDERS: ReadonlySet<string> = new Set(["resend", "mailgun"]);

/** POST `/api/letters/reports`. Throws a 403 for a wrong signature, and a 401 for a wrong key. */
export function createBounceReportRoute({ store, mail, clock }: ReportContext) {
  const settings = store.of(entities.letterSettings);
  const subscriptions = store.of(entities.emailSubscriptions);

  const recordReport = ({ email, reason }: BounceReport) =>
    subscriptions.updateUnique(email.trim().toLowerCase(), (row) => ({
      ...row,
      unreachable: row.unreachable === "complained" ? "complained" : reason,
      ...(reason === "complained" && { status: "unsubscribed" as const, owed: null }),
    }));

  async function recordReports(request: Request) {
    const kind = mail.getAccount()?.credentials.account.kind ?? "";
    const parse = REPORT_PARSERS[kind];
    if (!parse) throw notFound();
    const isSigned = SIGNING_PROVIDERS.has(kind);
    if (
      !isSigned &&
      !constantTimeEqual(readReportKey(request.headers), mail.linkKeys.getReportKey())
    )
      throw createKeyChallenge();
    // Unsigned reports may be longer: Postmark can be set to include the bounced message.
    const maxBytes = isSigned ? MAX_PUBLIC_JSON_BYTES : MAX_DASHBOARD_JSON_BYTES;
    const bytes = await readBytes(request, maxBytes);
    assertJsonShape(bytes);
    const body = new TextDecoder().decode(bytes);
    const { reportSecret: secret } = settings.read().value;
    const reports = parseReports(parse, { headers: request.headers, body, secret, now: clock() });
    if (!reports) throw new Refusal("not_allowed", "The signature of this report is invalid.");
    for (const report of reports) await recordReport(report); // oxlint-disable-line no-await-in-loop -- usually a single report
    return { taken: reports.length };
  }

  const routes = new Elysia({ name: "letter-reports" });
  return routes.post(REPORTS_PATH, ({ request }) => recordReports(request), { parse: "none" });
}

/** Returns a request's key: the password of `https://reports:key@…` (RFC 7617) or a token (RFC 6750). "": none. */
function readReportKey(headers: Headers): string {
  const [scheme = "", credentials = ""] = (headers.get("authorization") ?? "").split(" ", 2);
  if (scheme.toLowerCase() === "bearer") return credentials;
  if (scheme.toLowerCase() !== "basic") return "";
  const pair = Buffer.from(credentials, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

function parseReports(parse: ParseReports, report: ReportRequest) {
  try {
    return parse(report);
  } catch {
    throw malformed("This report couldn't be read.");
  }
}

/** Asks for the key with a 401: some clients send a URL's password only after such a response. */
const createKeyChallenge = () =>
  new Refusal("wrong_credentials", "Send the key as the password in the bounce webhook URL.", {
    headers: { "www-authenticate": 'Basic realm="reports"' },
  });

/**
 * Returns the URL for the provider's reports; null if it sends none or the site's URL isn't configured. The key is the
 * URL's password: clients send it in a header, which proxies don't log.
 */
export function createBounceReportUrl({ mail }: Pick<LettersContext, "mail">): string | null {
  const kind = mail.getAccount()?.credentials.account.kind ?? "";
  const { siteUrl } = mail.getBranding();
  if (!REPORT_PARSERS[kind] || siteUrl === undefined) return null;
  const url = new URL(REPORTS_PATH, siteUrl);
  if (SIGNING_PROVIDERS.has(kind)) return url.href;
  url.username = "reports";
  url.password = mail.linkKeys.getReportKey();
  return url.href;
}
