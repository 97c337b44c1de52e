/**
 * Kills between the mail server's "250" and the outbox's write: nothing is lost, and a message arrives at most once
 * more for each kill. `MAIL_KILLS` is the number of kills.
 */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailServer } from "../../../support/mailServer.ts";

const KILL_ROUNDS = Number(process.env["MAIL_KILLS"] ?? 2);
/** New messages in each round: one is sent before the kill, the others wait for the next. */
const MESSAGE_COUNT = 2;

test("a kill right after the mail server accepted a message loses no message, and repeats only that one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "limelight-kills-"));
  let child: Bun.Subprocess<"ignore", "pipe", "inherit"> | undefined;
  let killAfter: number | undefined;
  const server = await startMailServer({
    hasLogin: false,
    isPlain: true,
    onReceived() {
      const target = child;
      if (killAfter === undefined) return;
      // The kill comes at some time between the "250" and its storage.
      setTimeout(() => target?.kill("SIGKILL"), killAfter);
      killAfter = undefined;
    },
  });
  const start = (count: number, toItsEnd: boolean) => {
    const script = join(import.meta.dir, "../../../support/outboxProcess.ts");
    const args = [directory, String(server.port), String(count), toItsEnd ? "yes" : "no"];
    child = Bun.spawn([process.execPath, script, ...args], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    return child;
  };
  for (let round = 0; round < KILL_ROUNDS; round++) {
    killAfter = Math.random() * 12;
    await start(MESSAGE_COUNT, false).exited; // oxlint-disable-line no-await-in-loop -- one after the other
  }
  const last = start(0, true);
  const output = await new Response(last.stdout).text();
  expect(await last.exited).toBe(0);
  const stored: string[] = JSON.parse(output.trim().split("\n").at(-1)!);
  const arrived = server.received.map(({ messageId }) => messageId!);
  const unique = new Set(arrived);
  expect(stored.length).toBeGreaterThanOrEqual(KILL_ROUNDS);
  expect(stored.filter((id) => !unique.has(id))).toEqual([]);
  expect(arrived.length - unique.size).toBeLessThanOrEqual(KILL_ROUNDS);
  const times = arrived.map((id) => arrived.filter((each) => each === id).length);
  expect(Math.max(...times)).toBeLessThanOrEqual(1 + KILL_ROUNDS);
  if (process.env["MAIL_KILLS"])
    console.log(
      `${KILL_ROUNDS} kills: ${stored.length} messages stored, ${unique.size} arrived, ${arrived.length - unique.size} of them came once more`,
    );
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}, 3_600_000);
