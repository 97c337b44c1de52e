/**
 * Kills while times are chosen: a call exists with its messages, or neither does. `CALL_KILLS` is the number of
 * kills.
 */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = Number(process.env["CALL_KILLS"] ?? 3);
const SCRIPT = join(import.meta.dir, "../../support/callProcess.ts");

test("after a kill of the process at any time, each booked call has its messages, and each message its call", async () => {
  const directory = await mkdtemp(join(tmpdir(), "limelight-calls-"));
  let calls = 0;
  /* oxlint-disable no-await-in-loop -- one after the other */
  for (let round = 0; round <= ROUNDS; round++) {
    const child = Bun.spawn([process.execPath, SCRIPT, directory], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const lines = createLineReader(child.stdout);
    const { booked, ...faults } = JSON.parse(await lines());
    expect([round, faults]).toEqual([round, { missing: [], unfounded: [], halves: [] }]);
    calls += booked;
    for (const line of ["ready", "booked"]) expect(await lines()).toBe(line);
    await Bun.sleep(Math.random() * 60);
    child.kill("SIGKILL");
    await child.exited;
  }
  /* oxlint-enable no-await-in-loop */
  // Each killed process has booked at least one call.
  expect(calls).toBeGreaterThanOrEqual(ROUNDS);
  if (process.env["CALL_KILLS"]) console.log(`${ROUNDS} kills, ${calls} calls`);
  await rm(directory, { recursive: true, force: true });
}, 3_600_000);

/** Returns a function that reads the next line. */
function createLineReader(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let buffered = "";
  return async () => {
    while (!buffered.includes("\n")) {
      const { done, value } = await reader.read(); // oxlint-disable-line no-await-in-loop
      if (done) throw new Error("the process has ended by itself");
      buffered += decoder.decode(value, { stream: true });
    }
    const end = buffered.indexOf("\n");
    const line = buffered.slice(0, end);
    buffered = buffered.slice(end + 1);
    return line;
  };
}
