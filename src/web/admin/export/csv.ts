/** Lists as CSV files that open safely in a spreadsheet and read back unchanged (RFC 4180). */
import { format } from "date-fns";
import Papa from "papaparse";
import type { Item } from "../../../schema/index.ts";

const BYTE_ORDER_MARK = "\uFEFF";
// What a spreadsheet takes for a formula, full-width twins and a trimmed start included (security.md).
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** UTF-8 with a byte order mark and CRLF; cells that look like a formula get a leading apostrophe. */
export function toCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map(guardFormula));
  return BYTE_ORDER_MARK + Papa.unparse(cells, { newline: "\r\n", quotes: isAmbiguous });
}

/** Readers that guess the separator must not find another one. */
const isAmbiguous = (cell: unknown) => /[\t;]/.test(String(cell));

function guardFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The mailing list with the columns of spec section 7. */
export function subscriptionsCsv(rows: readonly Item<"emailSubscriptions">[]): string {
  return toCsv(
    ["Email", "Name", "Status", "Source", "Subscribed At"],
    rows.map((row) => [
      row.email,
      row.name ?? "",
      row.status,
      row.source,
      moment(row.subscribedAt),
    ]),
  );
}

/** A form's submissions with the columns of spec section 7. */
export function submissionsCsv(
  rows: readonly Pick<
    Item<"formSubmissions">,
    "id" | "status" | "createdAt" | "questions" | "submissionData"
  >[],
): string {
  return toCsv(
    ["Submission ID", "Status", "Submitted At", "Data"],
    rows.map((row) => [row.id, row.status, moment(row.createdAt), answers(row)]),
  );
}

/** One line per question in the words it was asked, so that it reads after the form has changed. */
function answers(row: Pick<Item<"formSubmissions">, "questions" | "submissionData">): string {
  if (row.questions.length === 0) return row.submissionData;
  return row.questions
    .map(({ label, answer }) => `${label}: ${Array.isArray(answer) ? answer.join(", ") : answer}`)
    .join("\n");
}

const moment = (iso: string | null) => (iso === null ? "" : format(iso, "yyyy-MM-dd HH:mm:ss"));

/** `email-subscriptions-2026-11-20.csv`, by the reader's own day. */
export const subscriptionsFileName = (today: Date) =>
  `email-subscriptions-${format(today, "yyyy-MM-dd")}.csv`;

/** `form-submissions-2026-11-20.csv`, by the reader's own day. */
export const submissionsFileName = (today: Date) =>
  `form-submissions-${format(today, "yyyy-MM-dd")}.csv`;
