/** Lists as CSV files that open safely in a spreadsheet and read back unchanged (RFC 4180), and downloads. */
import { format } from "date-fns";
import Papa from "papaparse";
import type { Item } from "../../../schema/index.ts";
import { type Submission, STAGES } from "../../../schema/visitors.ts";

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

/** A file that is filled a page of records at a time. */
export interface CsvFile<T> {
  /** Takes the next records. */
  add(records: readonly T[]): void;
  /** The whole file, for a Blob. */
  parts(): BlobPart[];
}

/** A file whose columns are known from the start. Its lines wait as blobs, off the script's memory. */
export function csvFile<T>(table: CsvTable<T>): CsvFile<T> {
  const file = csvParts(table);
  const parts = [new Blob([file.head])];
  return {
    add: (records) => void (records.length > 0 && parts.push(new Blob([file.lines(records)]))),
    parts: () => parts,
  };
}

/**
 * A form's submissions with a column for each question that was ever asked, in the order in which they are come
 * across; questions are told apart by their ids, and named as they were asked last. The columns are known at
 * the end only: rows written before one came up get their empty cells then.
 */
export function answersFile(): CsvFile<Exported> {
  const labels = new Map<string, string>();
  const rows: { readonly line: string; readonly columns: number }[] = [];
  const add = (record: Exported) => {
    const given = answersById(record);
    for (const { id, label } of given) if (!labels.has(id)) labels.set(id, label);
    const byId = new Map(given.map(({ id, answer }) => [id, answer]));
    const cells = [...labels.keys()].map((id) => byId.get(id) ?? "");
    const { id, status, createdAt } = record;
    const line = linesOf([[id, status, moment(createdAt), ...followedUp(record), ...cells]]);
    rows.push({ line, columns: labels.size });
  };
  return {
    add: (records) => records.forEach(add),
    parts: () => {
      const head = linesOf([[...FIRST_COLUMNS, ...labels.values()]]);
      const filled = rows.map(({ line, columns }) => line + ",".repeat(labels.size - columns));
      return [BYTE_ORDER_MARK + [head, ...filled].join("\r\n")];
    },
  };
}

const FIRST_COLUMNS = [
  "Submission ID",
  "Status",
  "Submitted At",
  "Stage",
  "Reminder",
  "About",
  "Notes",
] as const;

/** The notes stand one to a line, the newest first. */
function followedUp({ stage, remindOn, about, notes }: Exported): string[] {
  const label = STAGES.find(({ value }) => value === stage)?.label ?? stage;
  return [
    label,
    remindOn ?? "",
    about ?? "",
    notes
      .toReversed()
      .map(({ text }) => text)
      .join("\n"),
  ];
}

interface GivenAnswer {
  readonly id: string;
  readonly label: string;
  readonly answer: string;
}

/** The answers as they were asked; all in one column where the questions were not kept. */
function answersById({ questions, submissionData }: Exported): GivenAnswer[] {
  if (questions.length === 0) return [{ id: "", label: "Data", answer: submissionData }];
  return questions.map(({ id, label, answer }) => ({
    id,
    label,
    answer: Array.isArray(answer) ? answer.join(", ") : answer,
  }));
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
type Exported = Pick<
  Submission,
  | "id"
  | "status"
  | "createdAt"
  | "stage"
  | "remindOn"
  | "about"
  | "notes"
  | "questions"
  | "submissionData"
>;

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

/** `form-answers-2026-11-20.csv`, by the reader's own day. */
export const answersFileName = (today: Date) => `form-answers-${format(today, "yyyy-MM-dd")}.csv`;

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
