/**
 * The figures of docs/figures.md as one table: the median, the spread, the ratio to what was measured in turns with
 * it, and the machine. Each part is also a program: `bun bench/start.ts`. `bun run bench` measures start, pages,
 * download, phone and enquiries in some five minutes; `bun run bench --full` has more rounds, and adds Lighthouse,
 * nginx, uploads, the export, the outbox, a letter and PostgreSQL; `bun run bench phone` measures one part (start,
 * pages, download, phone, enquiries, lighthouse, files, uploads, exportCsv, outbox, letters, durable, instances),
 * with --full in more rounds; `bun run bench screenshots` takes the pictures of docs/screenshots anew.
 */
import { cpus, loadavg, release, totalmem } from "node:os";
import { ROWS_VARIABLE, type Row } from "./measure.ts";

const QUICK = ["start", "pages", "download", "phone", "enquiries"];
const FULL = [
  ...QUICK,
  "lighthouse",
  "files",
  "uploads",
  "exportCsv",
  "outbox",
  "letters",
  "durable",
  "instances",
];

const isFull = process.argv.includes("--full");
const namedParts = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const parts = namedParts.length > 0 ? namedParts : isFull ? FULL : QUICK;

const rows: Row[] = [];
const failed: string[] = [];
const loadBefore = loadavg()[0]!;
for (const part of parts) await run(part);
printTable();
process.exit(failed.length);

/** Runs a part and adds its output to the rows. Errors are shown immediately. */
async function run(part: string): Promise<void> {
  console.error(`${part}...`);
  const rounds = isFull ? {} : { ROUNDS: process.env["ROUNDS"] ?? "3" };
  const child = Bun.spawn(["bun", `${import.meta.dir}/${part}.ts`], {
    env: { ...process.env, ...rounds, [ROWS_VARIABLE]: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for (const line of (await new Response(child.stdout).text()).split("\n").filter(Boolean))
    if (line.startsWith('{"what"')) rows.push(JSON.parse(line) as Row);
    else rows.push({ what: part, median: line.trim() });
  if ((await child.exited) !== 0) failed.push(part);
}

function printTable(): void {
  const headings = ["What", "Median", "Spread", "Ratio", "Goal"];
  const cells = rows.map(({ what, median, spread = "", ratio = "", goal = "" }) => [
    what,
    median,
    spread,
    ratio,
    goal === "-" ? "" : goal,
  ]);
  const widths = headings.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => row[index]!.length)),
  );
  const formatRow = (row: readonly string[]) =>
    `| ${row.map((cell, index) => cell.padEnd(widths[index]!)).join(" | ")} |`;
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`);
  console.log(formatRow(headings));
  console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  for (const row of cells) console.log(formatRow(row));
  for (const part of failed) console.log(`\n${part} failed.`);
}

/** Describes the machine, for comparing figures. A high load makes figures useless. */
function describeMachine(): string {
  const [first, ...others] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const loads = [loadBefore, loadavg()[0]!].map((load) => load.toFixed(1)).join(" to ");
  return `${others.length + 1} cores (${first?.model.trim()}), ${memory} GB, Linux ${release()}, Bun ${Bun.version}, load ${loads}`;
}
