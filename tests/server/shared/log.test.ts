/** The log of a serving site: no line lost at a normal end, and no reader that can stop the site. */
import { afterEach, describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LogOutput, logTo } from "../../../src/server/shared/log.ts";

/** An output that takes as much as a test lets it, and timers that the test lets run. */
function reader() {
  let text = "";
  let room = Infinity;
  let writes = 0;
  let isClosed = false;
  const timers: (() => void)[] = [];
  const output: LogOutput = {
    write(bytes) {
      writes++;
      if (isClosed) throw new Error("EPIPE");
      const taken = bytes.subarray(0, Math.min(room, bytes.length));
      room -= taken.length;
      text += new TextDecoder().decode(taken);
      return taken.length;
    },
  };
  const after = ((then: () => void) => timers.push(then)) as unknown as typeof setTimeout;
  return {
    log: logTo(output, after),
    lines: () => text.split("\n").slice(0, -1),
    writes: () => writes,
    stall: () => void (room = 0),
    readOn: () => void (room = Infinity),
    close: (closed: boolean) => void (isClosed = closed),
    tick: () => timers.splice(0).forEach((then) => then()),
  };
}

describe("lines", () => {
  test("that can wait are written together, one that is said takes them along", () => {
    const { log, lines, writes, tick } = reader();
    for (let at = 0; at < 100; at++) log.add(`request ${at}`);
    expect([lines(), writes()]).toEqual([[], 0]);
    tick();
    expect([lines().length, writes()]).toEqual([100, 1]);
    log.add("request 100");
    log.say("storage");
    expect([lines().slice(100), writes()]).toEqual([["request 100", "storage"], 2]);
  });

  test("are written before the time is over when there are many", () => {
    const { log, lines } = reader();
    for (let at = 0; at < 1000; at++) log.add("x".repeat(99));
    expect(lines().length).toBeGreaterThan(600);
  });

  test("of a reader that stalls wait up to a bound; those left out are counted and said", () => {
    const { log, lines, stall, readOn, tick } = reader();
    stall();
    const all = 50_000;
    for (let at = 0; at < all; at++) log.add(`line ${at} ${"x".repeat(90)}`);
    tick();
    expect(lines()).toEqual([]);
    readOn();
    tick();
    log.say("flows again");
    const written = lines().filter((line) => line.startsWith("line"));
    const [, leftOut] = /^log: (\d+) lines couldn't be written/.exec(lines().at(-2)!)!;
    expect(written.length + Number(leftOut)).toBe(all);
    expect(written.join("\n").length).toBeWithin(900_000, 1024 * 1024 + 1);
    expect(lines().at(-1)).toBe("flows again");
  });

  test("that were cut in the middle go on there", () => {
    const output: string[] = [];
    const three: LogOutput = {
      write(bytes) {
        output.push(new TextDecoder().decode(bytes.subarray(0, 3)));
        return Math.min(3, bytes.length);
      },
    };
    const log = logTo(three, (() => 0) as unknown as typeof setTimeout);
    log.add("one two three");
    log.end();
    expect(output.join("")).toBe("one two three\n");
  });

  test("that nobody can take any more are let go and counted, and the site goes on", () => {
    const { log, lines, close } = reader();
    close(true);
    log.say("lost");
    log.say("lost as well");
    close(false);
    log.say("there");
    expect(lines()).toEqual(["there", "log: 2 lines couldn't be written and are left out"]);
  });
});

describe("a process", () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  /** Says `first` lines at once, adds `then` more, and ends. */
  async function script(first: number, then: number): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "limelight-log-"));
    folders.push(folder);
    const path = join(folder, "script.ts");
    const log = join(import.meta.dir, "../../../src/server/shared/log.ts");
    await Bun.write(
      path,
      `import { openLog } from ${JSON.stringify(log)};
      const log = openLog(1);
      for (let at = 0; at < ${first}; at++) log.say("said " + at);
      for (let at = 0; at < ${then}; at++) log.add("added " + at);
      process.exit(0);`,
    );
    return path;
  }

  test("that ends has written every line, to a socket, a pipe and a file", async () => {
    const path = await script(1000, 20_000);
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

  /** What a process says, and fails with, into a file that its environment names as the journal's, or another. */
  async function inJournal(command: string[], isNamed: boolean): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "limelight-log-"));
    folders.push(folder);
    const descriptor = openSync(join(folder, "journal"), "a");
    const { dev, ino } = await stat(join(folder, "journal"));
    const env = { ...process.env, JOURNAL_STREAM: `${dev}:${isNamed ? ino : 1}` };
    await Bun.spawn(command, { env, stdout: descriptor, stderr: descriptor }).exited;
    closeSync(descriptor);
    return Bun.file(join(folder, "journal")).text();
  }

  test("that writes into the journal gives every line its level, and no other does", async () => {
    const log = join(import.meta.dir, "../../../src/server/shared/log.ts");
    const script = `const log = require(${JSON.stringify(log)}).openLog(1);
      log.say("served"); log.say("look here", "warning"); log.add("a request");
      log.say("Error: broken\\n    at line 1", "error");`;
    const command = [process.execPath, "-e", script];
    expect(await inJournal(command, true)).toBe(
      "<6>served\n<4>look here\n<6>a request\n<3>Error: broken\n<3>    at line 1\n",
    );
    expect(await inJournal(command, false)).toStartWith("served\nlook here\n");
  });

  test("that can't start says so in the journal as an error", async () => {
    const main = join(import.meta.dir, "../../../src/main.ts");
    const said = await inJournal([process.execPath, main, "serve", "--port", "none"], true);
    expect(said).toStartWith("<3>--port must be a whole number");
  });

  test("whose log nobody reads ends all the same", async () => {
    const path = await script(0, 100_000);
    // The shell holds the pipe open and doesn't read.
    const stalled = Bun.spawn(["sh", "-c", `{ bun ${path}; echo over >&2; } | sleep 20`], {
      stderr: "pipe",
    });
    const reader = stalled.stderr.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain("over");
    stalled.kill();
  });
});
