/** The log of a serving site: a normal end loses no line. */
import { afterEach, describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("a process", () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  /** Writes a script that logs `first` lines at once, batches `then` more, and exits. */
  async function writeLogScript(first: number, then: number): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "limelight-log-"));
    folders.push(folder);
    const path = join(folder, "script.ts");
    const log = join(import.meta.dir, "../../../src/server/shared/log.ts");
    await Bun.write(
      path,
      `import { openLog } from ${JSON.stringify(log)};
      const log = openLog(1);
      for (let at = 0; at < ${first}; at++) log.writeNow("said " + at);
      for (let at = 0; at < ${then}; at++) log.add("added " + at);
      process.exit(0);`,
    );
    return path;
  }

  test("that exits has written every log line, to a socket, a pipe and a file", async () => {
    const path = await writeLogScript(1000, 20_000);
    // Bun reads its children through sockets, a shell through pipes.
    for (const command of [
      ["bun", path],
      ["sh", "-c", `bun ${path} | cat`],
    ]) {
      const running = Bun.spawn(command, { stdout: "pipe" });
      const lines = (await new Response(running.stdout).text()).split("\n");
      expect([lines.length, lines.at(-2)]).toEqual([21_001, "added 19999"]);
    }
    const file = `${path}.log`;
    await Bun.spawn(["bun", path], { stdout: Bun.file(file) }).exited;
    expect((await Bun.file(file).text()).split("\n")).toHaveLength(21_001);
  });

  test("that is still running writes batched log lines within moments, and urgent ones at once", async () => {
    const log = join(import.meta.dir, "../../../src/server/shared/log.ts");
    const script = `const log = require(${JSON.stringify(log)}).openLog(1);
      log.add("gathered"); setTimeout(() => log.writeNow("said"), 400); setTimeout(() => {}, 60000);`;
    const running = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    const reader = running.stdout.getReader();
    const lines = [await reader.read(), await reader.read()];
    expect(lines.map(({ value }) => new TextDecoder().decode(value))).toEqual([
      "gathered\n",
      "said\n",
    ]);
    running.kill();
    await running.exited;
  });

  test("that logs to a closed pipe exits normally", async () => {
    const path = await writeLogScript(1000, 20_000);
    const child = Bun.spawn(["sh", "-c", `{ bun ${path}; echo ended $? >&2; } | true`], {
      stderr: "pipe",
    });
    expect(await new Response(child.stderr).text()).toBe("ended 0\n");
  });

  /** Returns a process's output and errors. `isNamed`: its environment names their file as the journal's. */
  async function runInJournal(command: string[], isNamed: boolean): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "limelight-log-"));
    folders.push(folder);
    const descriptor = openSync(join(folder, "journal"), "a");
    const { dev, ino } = await stat(join(folder, "journal"));
    const env = { ...process.env, JOURNAL_STREAM: `${dev}:${isNamed ? ino : 1}` };
    await Bun.spawn(command, { env, stdout: descriptor, stderr: descriptor }).exited;
    closeSync(descriptor);
    return Bun.file(join(folder, "journal")).text();
  }

  test("that logs to the systemd journal begins every line with its level", async () => {
    const log = join(import.meta.dir, "../../../src/server/shared/log.ts");
    const script = `const log = require(${JSON.stringify(log)}).openLog(1);
      log.writeNow("served"); log.writeNow("look here", "warning"); log.add("a request");
      log.writeNow("Error: broken\\n    at line 1", "error");`;
    const command = [process.execPath, "-e", script];
    expect(await runInJournal(command, true)).toBe(
      "<6>served\n<4>look here\n<6>a request\n<3>Error: broken\n<3>    at line 1\n",
    );
    expect(await runInJournal(command, false)).toStartWith("served\nlook here\n");
  });

  test("that can't start logs an error to the journal", async () => {
    const main = join(import.meta.dir, "../../../src/main.ts");
    const output = await runInJournal([process.execPath, main, "serve", "--port", "none"], true);
    expect(output).toStartWith("<3>--port must be a whole number");
  });
});
