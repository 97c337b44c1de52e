/**
 * `bun run test` runs every test, in four processes. A failed test is retried once, since a busy machine may stall
 * during it. Tests that passed only at the second try are named at the end: each is a defect, to be fixed at its cause.
 */
const COMMAND = ["test", "--parallel=4", "--no-isolate", "--timeout=120000", "--retry=1"];

const child = Bun.spawn([process.execPath, ...COMMAND, ...process.argv.slice(2)], {
  stdio: ["ignore", "pipe", "pipe"],
});
/** The names of the tests that passed at the second try. */
const passedOnRetry: string[] = [];

await Promise.all([
  forwardOutput(child.stdout, process.stdout),
  forwardOutput(child.stderr, process.stderr),
  child.exited,
]);
if (passedOnRetry.length > 0) {
  console.log(
    `\nPassed only at the second try (${passedOnRetry.length}), to be fixed at the cause:`,
  );
  for (const name of passedOnRetry) console.log(`  ${name}`);
}
process.exitCode = await child.exited;

async function forwardOutput(
  from: ReadableStream<Uint8Array>,
  to: NodeJS.WriteStream,
): Promise<void> {
  let partialLine = "";
  const decoder = new TextDecoder();
  for await (const bytes of from) {
    const text = decoder.decode(bytes, { stream: true });
    to.write(text);
    const lines = (partialLine + text).split("\n");
    partialLine = lines.pop() ?? "";
    for (const line of lines) {
      const name = /^\(pass\) (.*) \(attempt 2\)/.exec(line)?.[1];
      if (name !== undefined) passedOnRetry.push(name.replace(/ \[[\d.]+m?s\]$/, ""));
    }
  }
}
