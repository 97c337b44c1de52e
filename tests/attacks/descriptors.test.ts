/** Silent connections keep neither the owner from saving nor visitors from pages, within the systemd unit's limits. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { describeLowDescriptorLimit } from "../../src/server/cli/listen.ts";
import { getProgramPath, type ProgramSite, startProgram } from "../support/program.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { waitForValue } from "../support/waits.ts";

const SILENT_CONNECTIONS = 4000;

const createLimitedCommand = (limit: number) => [
  "sh",
  "-c",
  `ulimit -n ${limit}; exec "$0" "$@"`,
  getProgramPath(),
];
const site: ProgramSite = setUpSiteForAll(() =>
  startProgram({ command: createLimitedCommand(65_536), env: { RATE_LIMIT: "off" } }),
);

const silentSockets = new Set<Socket>();
let isOver = false;
beforeAll(() => {
  for (let at = 0; at < SILENT_CONNECTIONS; at++) openSilent();
});
afterAll(() => {
  isOver = true;
  for (const socket of silentSockets) socket.destroy();
});

/** Opens a connection that sends nothing, and like an attacker reopens it whenever it is closed. */
function openSilent(): void {
  if (isOver) return;
  const { hostname, port } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  silentSockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => {
    silentSockets.delete(socket);
    setTimeout(openSilent, 20);
  });
}

test(`while ${SILENT_CONNECTIONS} connections send nothing, the owner's saves take a median of less than 200 ms`, async () => {
  const owner = await site.owner();
  await waitForValue(
    () =>
      [...silentSockets].filter(({ readyState }) => readyState === "open").length >
      SILENT_CONNECTIONS * 0.9,
    true,
  );
  const times: number[] = [];
  for (let at = 0; at < 20; at++) {
    const started = performance.now();
    const { status } = await owner.post("/api/hero", { mainTitle: `Number ${at}` });
    times.push(performance.now() - started);
    expect(status).toBe(200);
    const page = await fetch(site.url, { headers: { connection: "close" } });
    expect(await page.text()).toContain(`Number ${at}`);
  }
  expect(times.toSorted((one, other) => one - other)[10]).toBeLessThan(200);
  expect(site.log()).not.toContain("EMFILE");
});

test("a start with a low limit of open files logs a warning that says how to raise the limit", async () => {
  expect(describeLowDescriptorLimit(1024)).toBe(
    'Only 1024 files and connections can be open at once, and many visitors can use them all up. Raise the limit: LimitNOFILE=65536 in the service, or "ulimit -n 65536" before starting it.',
  );
  expect(describeLowDescriptorLimit(4096)).toBeUndefined();
  const limited = await startProgram({ command: createLimitedCommand(1024) });
  await waitForValue(
    () => limited.log().includes("Only 1024 files and connections can be open at once"),
    true,
  );
  await limited.stop();
});
