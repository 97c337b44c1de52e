/**
 * The figures of the README. Each part is also a program of its own: `bun bench/start.ts`.
 *
 *   bun run bench               start, memory, download, enquiries
 *   bun run bench pages         CPU of a page, in turns with bare servers
 *   bun run bench enquiries     100,000 submissions and subscriptions
 *   bun run bench durable     enquiries at 64 connections, PostgreSQL in turns with files
 *   bun run bench exportCsv     an owner exports 100,000 submissions in a browser
 *   bun run bench phone         a visitor's phone: script before intent, paint, press to reaction
 *   bun run bench lighthouse    Lighthouse, mobile preset, on the demo content
 */
const parts = process.argv.slice(2);
const wanted = parts.length > 0 ? parts : ["start", "download", "enquiries"];

for (const part of wanted) {
  const run = Bun.spawn(["bun", `${import.meta.dir}/${part}.ts`], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await run.exited) !== 0) process.exit(1);
}
