/**
 * The figures of docs/figures.md as one table: the median, the spread, the ratio to what was measured in turns with
 * it, and the machine. Each part is also a program: `bun bench/start.ts`. `bun run bench` measures start, pages,
 * download, phone and enquiries in some five minutes; `bun run bench --full` has more rounds, and adds Lighthouse,
 * nginx, uploads, the export, the outbox, a letter and PostgreSQL; `bun run bench phone` measures one part (start,
 * pages, download, phone, enquiries, lighthouse, files, uploads, exportCsv, outbox, letters, durable, instances),
 * with --full in more rounds; `bun run bench screenshots` takes the pictures of docs/screenshots anew.
 */
import { cpus, loadavg, release, totalmem } from "node:os";
import { AS_ROWS, type Row } from "./measure.ts";

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
const named = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const parts = named.length > 0 ? named : isFull ? FULL : QUICK;

const rows: Row[] = [];
const failed: string[] = [];
const before = loadavg()[0]!;
for (const part of parts) await run(part);
print();
process.exit(failed.length);

/** Runs a part; its other output is shown as it comes. */
async function run(part: string): Promise<void> {
  console.error(`${part}...`);
  const rounds = isFull ? {} : { ROUNDS: process.env["ROUNDS"] ?? "3" };
  const child = Bun.spawn(["bun", `${import.meta.dir}/${part}.ts`], {
    env: { ...process.env, ...rounds, [AS_ROWS]: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for (const line of (await new Response(child.stdout).text()).split("\n").filter(Boolean))
    if (line.startsWith('{"what"')) rows.push(JSON.parse(line) as Row);
    else rows.push({ what: part, median: line.trim() });
  if ((await child.exited) !== 0) failed.push(part);
}

function print(): void {
  const head = ["What", "Median", "Spread", "Ratio", "Goal"];
  const cells = rows.map(({ what, median, spread = "", ratio = "", goal = "" }) => [
    what,
    median,
    spread,
    ratio,
    goal === "-" ? "" : goal,
  ]);
  const widths = head.map((name, at) =>
    Math.max(name.length, ...cells.map((row) => row[at]!.length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
  console.log(line(head));
  console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  for (const row of cells) console.log(line(row));
  for (const part of failed) console.log(`\n${part} failed.`);
}

/** The machine, for comparing figures; a high load makes them useless. */
function machine(): string {
  const [first, ...others] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const loads = [before, loadavg()[0]!].map((load) => load.toFixed(1)).join(" to ");
  return `${others.length + 1} cores (${first?.model.trim()}), ${memory} GB, Linux ${release()}, Bun ${Bun.version}, load ${loads}`;
}
