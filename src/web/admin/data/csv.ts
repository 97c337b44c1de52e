/** Formats lists as CSV files (RFC 4180) that are safe to open in a spreadsheet: no cell is run as a formula. */
import { normalizeText } from "../../../schema/core/boundedUnicode.ts";
import Papa from "papaparse";
import type { Item } from "../../../schema/index.ts";
import { type Submission, ENQUIRY_STAGES } from "../../../schema/enquiry/visitors.ts";
import { formatIsoDateTime } from "../../shared/formatTimes.ts";

const BYTE_ORDER_MARK = "\uFEFF";
/** Spreadsheets in languages with a decimal comma split cells only at semicolons. */
export type Separator = "," | ";";

export const chooseSeparator = (language: string): Separator =>
  new Intl.NumberFormat(language).format(1.5).includes(",") ? ";" : ",";

export interface CsvTable<T> {
  readonly columns: readonly string[];
  readonly createRow: (record: T) => readonly string[];
}

/** Formats a list as CSV in parts: UTF-8 with a byte order mark and CRLF. Formulas get a leading apostrophe. */
export function createCsvFormatter<T>({ columns, createRow }: CsvTable<T>, separator: Separator) {
  return {
    header: BYTE_ORDER_MARK + formatLines([columns], separator),
    formatRecords: (records: readonly T[]) =>
      `\r\n${formatLines(records.map(createRow), separator)}`,
  };
}

function formatLines(rows: readonly (readonly string[])[], delimiter: Separator): string {
  const cells = rows.map((row) => row.map(escapeFormula));
  return Papa.unparse(cells, { delimiter, newline: "\r\n", quotes: isAmbiguous });
}

/** Whether to quote a cell, since some programs would take one of its characters for the separator. */
const isAmbiguous = (cell: unknown) => /[\t,;|]/.test(String(cell));

const escapeFormula = (cell: string) => (isFormulaLike(cell) ? `'${cell}` : cell);

export interface CsvFile<T> {
  addRecords(records: readonly T[]): void;
  createParts(): BlobPart[];
}

/** Creates a file with fixed columns. The lines are in Blobs, so they don't occupy the script's memory. */
export function createCsvFile<T>(table: CsvTable<T>, separator: Separator): CsvFile<T> {
  const formatter = createCsvFormatter(table, separator);
  const parts = [new Blob([formatter.header])];
  return {
    addRecords: (records) =>
      void (records.length > 0 && parts.push(new Blob([formatter.formatRecords(records)]))),
    createParts: () => parts,
  };
}

/**
 * Creates the file of one form's submissions, with a column for every question in any of them. The newest submissions
 * are added first, so a heading is the question's latest label. Rows from before a new column get an empty cell.
 */
export function createAnswersFile(separator: Separator): CsvFile<ExportedSubmission> {
  const labels = new Map<string, string>();
  const rows: { readonly line: string; readonly columnCount: number }[] = [];
  const addRecord = (record: ExportedSubmission) => {
    const recordAnswers = createLabeledAnswers(record);
    for (const { id, label } of recordAnswers) if (!labels.has(id)) labels.set(id, label);
    const answersById = new Map(recordAnswers.map(({ id, answer }) => [id, answer]));
    const cells = [...labels.keys()].map((id) => answersById.get(id) ?? "");
    const { id, status, createdAt } = record;
    const row = [id, status, formatTimestamp(createdAt), ...createProgressCells(record), ...cells];
    const line = formatLines([row], separator);
    rows.push({ line, columnCount: labels.size });
  };
  return {
    addRecords: (records) => records.forEach(addRecord),
    createParts: () => {
      const header = formatLines([[...FIXED_ANSWER_COLUMNS, ...labels.values()]], separator);
      const paddedRows = rows.map(
        ({ line, columnCount }) => line + separator.repeat(labels.size - columnCount),
      );
      return [BYTE_ORDER_MARK + [header, ...paddedRows].join("\r\n")];
    },
  };
}

const FIXED_ANSWER_COLUMNS = [
  "Submission ID",
  "Status",
  "Submitted At",
  "Stage",
  "Reminder",
  "About",
  "Notes",
] as const;

/** Returns four cells: the stage, the reminder, the package ("About") and the notes, newest first. */
function createProgressCells({ stage, remindOn, about, notes }: ExportedSubmission): string[] {
  const label = ENQUIRY_STAGES.find(({ value }) => value === stage)?.label ?? stage;
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

interface LabeledAnswer {
  readonly id: string;
  readonly label: string;
  readonly answer: string;
}

/** Returns a submission's answers. Without stored questions, all data is one answer. */
function createLabeledAnswers({ questions, submissionData }: ExportedSubmission): LabeledAnswer[] {
  if (questions.length === 0) return [{ id: "", label: "Data", answer: submissionData }];
  return questions.map(({ id, label, answer }) => ({
    id,
    label,
    answer: Array.isArray(answer) ? answer.join(", ") : answer,
  }));
}

/** The table of the mailing list. The specification prescribes its columns. */
export const SUBSCRIPTIONS_TABLE: CsvTable<Item<"emailSubscriptions">> = {
  columns: ["Email", "Name", "Status", "Source", "Subscribed At"],
  createRow: ({ email, name, status, source, subscribedAt }) => [
    email,
    name ?? "",
    status,
    source,
    formatTimestamp(subscribedAt),
  ],
};

type ExportedSubmission = Pick<
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

/** The table of submissions. The specification prescribes its columns, so one cell has all answers. */
export const SUBMISSIONS_TABLE: CsvTable<ExportedSubmission> = {
  columns: ["Submission ID", "Status", "Submitted At", "Data"],
  createRow: (record) => [
    record.id,
    record.status,
    formatTimestamp(record.createdAt),
    formatAnswers(record),
  ],
};

function formatAnswers(record: ExportedSubmission): string {
  if (record.questions.length === 0) return record.submissionData;
  return record.questions
    .map(({ label, answer }) => `${label}: ${Array.isArray(answer) ? answer.join(", ") : answer}`)
    .join("\n");
}

const formatTimestamp = (iso: string | null) =>
  iso === null ? "" : formatIsoDateTime(new Date(iso));

/** The time after which the file's URL is revoked. The browser must have started the download by then. */
const MAX_DOWNLOAD_START_MS = 60_000;

export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), MAX_DOWNLOAD_START_MS);
}

/** Matches text that begins with a sign, also full-width. In Excel, a formula can begin with +, - or @. */
const SIGN_PATTERN = /^\s*[+\-@＋－＠]/;
/** Matches text that begins with =, a tab or a line break. Some programs skip white space before a formula. */
const FORMULA_PATTERN = /^(?:[\t\r\n]|\s*[=＝])/;

/** Matches phone numbers such as `+44 (0)20 7946-0958 / +44 7700-900123 ext 12`. */
const PHONE_PATTERN =
  /^\+[\d\s().,/'’-]*(?:[/;]\s{0,3}\+[\d\s().'’-]*)?(?:(?:ext\.?|x|#)\s?\d+)?$/i;
const MIN_PHONE_DIGITS = 7;

/** Matches a function call, or a reference to another program or another sheet. */
const CALL_PATTERN = /[\p{L}_][\p{L}\d_.]{0,60}\(|[|[\]]|![$\p{L}#]/u;
/** Matches functions that read from outside the file. Excel accepts a space before the parenthesis. */
const EXTERNAL_FUNCTION_PATTERN =
  /(?:hyperlink|webservice|filterxml|import[a-z]{1,8}|image|call|register|exec|dde|rtd|indirect|cell|info)\s{1,9}\(/i;

/** The maximum length of a cell in Excel. */
const MAX_CELL_LENGTH = 32_767;

/** Matches operands: texts, cells such as `$A$1`, columns such as `A:C`, and numbers with an exponent. */
const OPERAND_PATTERN =
  /"[^"]*"|\b\d+e[+-]?\d+\b|\b[a-z]{1,3}:[a-z]{1,3}\b|\$?\b[a-z]{1,3}\$?\d{1,7}\b/gi;
const REFERENCE_PATTERN = /^[$a-z]/i;
const ARITHMETIC_PATTERN = /^[+\-@\d\s.,%$():*/^&<>=#]*$/;
/** Matches an operator between two numbers, two signs before the first number, or a percentage. */
const OPERATION_PATTERN = /(?:[\d)%]\s*[-+*/^&<>=:]|^[+\-@]\s*[+-])[\s(+\-<>=]*\.?\d|\d\s*%/;

/**
 * Whether a spreadsheet would calculate the text: after =, and in Excel and Google Sheets also after +, - and @. False
 * for phone numbers, @names, lines that begin with a dash, and negative numbers.
 */
export function isFormulaLike(cell: string): boolean {
  if (FORMULA_PATTERN.test(cell)) return true;
  if (!SIGN_PATTERN.test(cell)) return false;
  const text = (normalizeText(cell, "NFKC", MAX_CELL_LENGTH) ?? cell).trim();
  if (isPhoneNumber(text)) return false;
  if (CALL_PATTERN.test(text) || EXTERNAL_FUNCTION_PATTERN.test(text)) return true;
  let hasReference = false;
  const textWithOnes = text.replace(OPERAND_PATTERN, (operand) => {
    hasReference ||= REFERENCE_PATTERN.test(operand);
    return "1";
  });
  if (!ARITHMETIC_PATTERN.test(textWithOnes)) return false;
  return (hasReference && !text.startsWith("@")) || OPERATION_PATTERN.test(textWithOnes);
}

const isPhoneNumber = (text: string) =>
  PHONE_PATTERN.test(text) && text.replace(/\D/g, "").length >= MIN_PHONE_DIGITS;
