/** Lists as CSV files that open safely in a spreadsheet and read back unchanged (RFC 4180), and downloads. */
import { format } from "date-fns";
import Papa from "papaparse";
import type { Item } from "../../../schema/index.ts";
import type { Submission } from "../../../schema/visitors.ts";

const BYTE_ORDER_MARK = "\uFEFF";
// What a spreadsheet takes for a formula, full-width twins and a trimmed start included.
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** The columns of a file and how a row fills them. */
export interface CsvTable<T> {
  readonly columns: readonly string[];
  readonly row: (record: T) => readonly string[];
}

/**
 * A file in parts, for lists too long for one go: `head` first, then the lines of each part. UTF-8
 * with a byte order mark and CRLF; cells that look like a formula get a leading apostrophe.
 */
export function csvParts<T>({ columns, row }: CsvTable<T>) {
  return {
    head: BYTE_ORDER_MARK + linesOf([columns]),
    lines: (records: readonly T[]) => `\r\n${linesOf(records.map(row))}`,
  };
}

function linesOf(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(guardFormula));
  return Papa.unparse(cells, { newline: "\r\n", quotes: isAmbiguous });
}

/** Readers that guess the separator must not find another one. */
const isAmbiguous = (cell: unknown) => /[\t;]/.test(String(cell));

function guardFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The mailing list, columns as the specification has them. */
export const subscriptionsTable: CsvTable<Item<"emailSubscriptions">> = {
  columns: ["Email", "Name", "Status", "Source", "Subscribed At"],
  row: ({ email, name, status, source, subscribedAt }) => [
    email,
    name ?? "",
    status,
    source,
    moment(subscribedAt),
  ],
};

/** What of a submission stands in the file. */
type Exported = Pick<Submission, "id" | "status" | "createdAt" | "questions" | "submissionData">;

/** A form's submissions, columns as the specification has them. */
export const submissionsTable: CsvTable<Exported> = {
  columns: ["Submission ID", "Status", "Submitted At", "Data"],
  row: (record) => [record.id, record.status, moment(record.createdAt), answers(record)],
};

/** One line per question in the words it was asked, so that it reads after the form has changed. */
function answers(row: Exported): string {
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

/** How long the browser may take to begin, in milliseconds. */
const LONG_ENOUGH = 60_000;

export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LONG_ENOUGH);
}
