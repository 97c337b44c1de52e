/** Connections that take all descriptors keep neither the owner from saving nor visitors from pages. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { program, type ProgramSite, startProgram } from "../support/program.ts";
import { siteForAll } from "../support/siteForAll.ts";
import { eventually } from "../support/waits.ts";

/** As many as a shell's default is; the program takes a quarter of it by itself. */
const LIMIT = 256;
const FLOOD = 400;

const limited = ["sh", "-c", `ulimit -n ${LIMIT}; exec "$0" "$@"`, program()];
const site: ProgramSite = siteForAll(() =>
  startProgram({ command: limited, env: { RATE_LIMIT: "off" } }),
);

const flood = new Set<Socket>();
let isOver = false;
beforeAll(() => {
  for (let at = 0; at < FLOOD; at++) hold();
});
afterAll(() => {
  isOver = true;
  for (const socket of flood) socket.destroy();
});

/** Opens a connection that says nothing and, as an attacker does, opens it again when it is closed. */
function hold(): void {
  if (isOver) return;
  const { hostname, port } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  flood.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => {
    flood.delete(socket);
    setTimeout(hold, 20);
  });
}

test("a low limit is said at the start", async () => {
  await eventually(
    () => site.log().includes(`Only ${LIMIT} files and connections can be open at once`),
    true,
  );
});

test(`with ${FLOOD} connections held where ${LIMIT} descriptors are, 20 saves and pages go on`, async () => {
  const owner = await site.owner();
  const statuses: number[] = [];
  for (let at = 0; at < 20; at++) {
    const saved = await owner.post("/api/hero", { mainTitle: `Number ${at}` });
    statuses.push(saved.status);
    const page = await fetch(site.url, { headers: { connection: "close" } });
    expect(await page.text()).toContain(`Number ${at}`);
  }
  expect(statuses).toEqual(Array(20).fill(200));
  // Where a machine stands still for seconds, what is done between requests may miss its turn; it is tried again.
  const failed = site.log().match(/^.*(?:EMFILE|cannot_store).*$/gm) ?? [];
  expect(failed.filter((line) => !/ (?:storage: |uploads: not looked at)/.test(line))).toEqual([]);
  // On a slow machine each new connection may wait until those that say nothing are cut off, after 12 seconds.
}, 400_000);
