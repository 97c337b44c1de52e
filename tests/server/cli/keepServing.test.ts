/** Uncaught errors are reported, and end nothing. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const MODULE = join(import.meta.dir, "../../../src/server/cli/command.ts");

/** Runs a program with an uncaught error and an unhandled rejection, which then prints that it continues. */
async function runModule(prelude: string) {
  const source = `${prelude}
    setTimeout(() => { setTimeout(refuse, 1); throw new Error("thrown to nobody"); }, 1);
    const refuse = () => { setTimeout(end, 1); void Promise.reject(new Error("refused to nobody")); };
    const end = () => { console.log("still here"); process.exit(0); };`;
  const program = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe", stderr: "pipe" });
  const output = await new Response(program.stdout).text();
  return { said: output, code: await program.exited };
}

test("an uncaught error is reported, and the program continues", async () => {
  const prelude = `const { reportUncaughtErrors } = await import(${JSON.stringify(MODULE)});
    reportUncaughtErrors((error) => console.log("reported:", error.message));`;
  const { said, code } = await runModule(prelude);
  expect(said.trim().split("\n")).toEqual([
    "reported: thrown to nobody",
    "reported: refused to nobody",
    "still here",
  ]);
  expect(code).toBe(0);
});
