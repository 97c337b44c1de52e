import { expect, test } from "bun:test";
import Papa from "papaparse";
import { NEVER_WRITTEN_TO } from "../../../src/schema/visitors.ts";
import {
  answersFile,
  csvParts,
  type CsvTable,
  submissionsFileName,
  submissionsTable,
  subscriptionsFileName,
  subscriptionsTable,
} from "../../../src/web/admin/data/csv.ts";

/** The whole of a file whose list is short enough for one part. */
function csv<T>(table: CsvTable<T>, rows: T[]): string {
  const { head, lines } = csvParts(table);
  return head + lines(rows);
}
const tableOf = (columns: string[]) => ({ columns, row: (cells: string[]) => cells });
const parse = (text: string) => Papa.parse<string[]>(text.replace(/^\uFEFF/, "")).data;

test("a CSV starts with a byte order mark and separates its lines with CRLF (RFC 4180)", () => {
  expect(csv(tableOf(["A", "B"]), [["1", "2"]])).toBe("\uFEFFA,B\r\n1,2");
});

test("commas, quotes and line breaks round-trip through a CSV library", () => {
  const rows = [
    ["a,b", 'say "hi"'],
    ["two\nlines", "crlf\r\ninside"],
    ["", " padded "],
    ["naïve 日本 🎭", "'quoted'"],
  ];
  expect(parse(csv(tableOf(["One", "Two, too"]), rows))).toEqual([["One", "Two, too"], ...rows]);
});

const FORMULAS = [
  "=1+1",
  "+44",
  "-2",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1",
  "＋1",
  "－1",
  "＠x",
];
test.each([...FORMULAS, "  =1", "\u00a0+1"])(
  "the cell and the header %j get a leading apostrophe",
  (cell) => {
    expect(parse(csv(tableOf([cell]), [[cell]]))).toEqual([[`'${cell}`], [`'${cell}`]]);
  },
);

test("other cells stay as they are", () => {
  const cells = ["a=b", "1-2", "ann@example.com", "'x", "{}"];
  expect(parse(csv(tableOf(cells), [cells]))).toEqual([cells, cells]);
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
const FIRST = ["Submission ID", "Status", "Submitted At", "Stage", "Reminder", "About", "Notes"];
const STANDING = ["In conversation", "2027-03-14", "Twelve weeks", "Then\n=First"];

test("answers by question: every line has all columns, also of a question that came up later", async () => {
  const file = answersFile();
  const ask = (id: string, label: string, answer: string | string[]) => ({
    id,
    label,
    type: "text",
    answer,
  });
  const record = (id: string, questions: ReturnType<typeof ask>[], submissionData = "{}") => ({
    id,
    status: "new" as const,
    createdAt: null,
    submissionData,
    questions,
    ...FOLLOWED_UP,
  });
  file.add([record("1", [ask("a", "Name", "Ann,\n=1"), ask("b", "Times", ["x", "y"])])]);
  file.add([record("2", [ask("c", "Town", "-"), ask("a", "Old name", "Ben")])]);
  file.add([record("3", [], '{"q":1}')]);
  const bytes = await new Blob(file.parts()).bytes();
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = new TextDecoder().decode(bytes);
  expect(parse(text)).toEqual([
    [...FIRST, "Name", "Times", "Town", "Data"],
    ["1", "new", "", ...STANDING, "Ann,\n=1", "x, y", "", ""],
    ["2", "new", "", ...STANDING, "Ben", "", "'-", ""],
    ["3", "new", "", ...STANDING, "", "", "", '{"q":1}'],
  ]);
});

test("subscriptions export Email, Name, Status, Source and Subscribed At", () => {
  const at = new Date(2026, 10, 20, 9, 5, 7).toISOString();
  const row = {
    ...NEVER_WRITTEN_TO,
    written: [],
    id: "1",
    email: "ann@example.com",
    name: null,
    status: "active" as const,
    source: "website",
    subscribedAt: at,
    ipAddress: "127.0.0.1",
    userAgent: null,
  };
  expect(parse(csv(subscriptionsTable, [row, { ...row, name: "=Ann" }]))).toEqual([
    ["Email", "Name", "Status", "Source", "Subscribed At"],
    ["ann@example.com", "", "active", "website", "2026-11-20 09:05:07"],
    ["ann@example.com", "'=Ann", "active", "website", "2026-11-20 09:05:07"],
  ]);
});

test("submissions export Submission ID, Status, Submitted At and Data in the words asked", () => {
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
  expect(parse(csv(submissionsTable, [row, { ...row, questions: [] }]))).toEqual([
    ["Submission ID", "Status", "Submitted At", "Data"],
    ["1", "new", "2026-11-20 23:59:00", "Name: Ann\nGoals: Rest, Play"],
    ["1", "new", "2026-11-20 23:59:00", '{"f":"Ann"}'],
  ]);
});

test("the files are named with the date", () => {
  const today = new Date(2026, 10, 20);
  expect(subscriptionsFileName(today)).toBe("email-subscriptions-2026-11-20.csv");
  expect(submissionsFileName(today)).toBe("form-submissions-2026-11-20.csv");
});

test("a file made part by part is the same as one made at once", () => {
  const table = tableOf(["A", "B"]);
  const rows = [
    ["1", "=2"],
    ["a,b", "two\nlines"],
    ["é", ""],
  ];
  const { head, lines } = csvParts(table);
  expect(head + lines(rows.slice(0, 2)) + lines(rows.slice(2))).toBe(csv(table, rows));
});
