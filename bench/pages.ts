/**
 * Measures what a page costs the server: the CPU time for each request of / with 64 connections, and with Debian's wrk
 * the requests a second. Two bare Bun servers that send the same bytes are measured in turns with it: one with a static
 * route, and one whose handler only clones a response. `bun bench/pages.ts [requests a round, default 20,000] [rounds,
 * default ROUNDS or 5]`
 */
import { connect, type Socket } from "node:net";
import { startProgram } from "../tests/support/program.ts";
import { measureInTurns, readCpuTime, median, summarizeFigures, printRow } from "./measure.ts";
import { hasWrk, type MeasuredServer, runWrk } from "./wrk.ts";

const [requests = 20_000, rounds = Number(process.env["ROUNDS"] ?? 5)] = process.argv
  .slice(2)
  .map(Number);
const CONNECTIONS = 64;
/** The duration of wrk in each round. */
const WRK_SECONDS = 2;

const BARE_SERVER_CODE = `
  const page = await (await fetch(process.env.PAGE, { headers: { "accept-encoding": process.env.ENCODING }, decompress: false }));
  const headers = { "content-type": page.headers.get("content-type") };
  if (process.env.ENCODING !== "identity") headers["content-encoding"] = process.env.ENCODING;
  const body = await page.bytes();
  const ready = new Response(body, { headers });
  const options = process.env.KIND === "static"
    ? { routes: { "/": ready }, fetch: () => new Response("no") }
    : { fetch: () => ready.clone() };
  console.log(Bun.serve({ port: 0, hostname: "127.0.0.1", ...options }).port);
  process.stdin.on("end", () => process.exit()).resume();
`;

const site = await startProgram({ hasSample: true });
try {
  for (const encoding of ["br", "identity"]) await compare(encoding);
  await compare("br", true);
} finally {
  await site.stop();
}

/**
 * Prints a row that compares the site with the static route and the clone. If `isUnchanged`, requests have the ETag,
 * and the site responds with 304.
 */
async function compare(encoding: string, isUnchanged = false): Promise<void> {
  const bare = await Promise.all(
    ["static", "clone"].map((kind) => startBareServer(kind, encoding)),
  );
  const etag = (await fetch(site.url, { headers: { "accept-encoding": encoding } })).headers.get(
    "etag",
  )!;
  const extraHeader = isUnchanged ? `If-None-Match: ${etag}\r\n` : "";
  const figures = await measureInTurns([site, ...bare], rounds, (server) =>
    measureCost(server, encoding, server === site ? extraHeader : ""),
  );
  if (hasWrk) await compareRates(encoding, extraHeader, bare[0]!);
  for (const server of bare) server.stop();
  const [mine = 0, route = 0, clone = 0] = figures.map(median);
  printRow({
    what: `/ ${isUnchanged ? "304" : encoding}: CPU a request`,
    ...summarizeFigures(figures[0]!, "µs", 1),
    ratio: `${(route / mine).toFixed(2)} of a static route, ${(clone / mine).toFixed(2)} of a clone`,
    goal: "0.75, 0.95",
  });
}

/**
 * Prints a row that compares the site with the static route, which sends the whole page even when the site responds
 * with 304.
 */
async function compareRates(
  encoding: string,
  extraHeader: string,
  staticServer: MeasuredServer,
): Promise<void> {
  const rates = await measureInTurns([site, staticServer], rounds, async (server) => {
    const extraHeaders = server === site && extraHeader ? [extraHeader.trim()] : [];
    const headers = [`Accept-Encoding: ${encoding}`, ...extraHeaders];
    return (await runWrk(server, "/", WRK_SECONDS, headers)).perSecond;
  });
  const [mine = 0, route = 0] = rates.map(median);
  printRow({
    what: `/ ${extraHeader ? "304" : encoding}: requests a second`,
    ...summarizeFigures(rates[0]!, ""),
    ratio: `${(mine / route).toFixed(2)} of a static route`,
    goal: "0.85",
  });
}

async function startBareServer(
  kind: string,
  encoding: string,
): Promise<MeasuredServer & { stop(): void }> {
  const child = Bun.spawn([process.execPath, "-e", BARE_SERVER_CODE], {
    env: { ...process.env, KIND: kind, ENCODING: encoding, PAGE: site.url },
    stdin: "pipe",
    stdout: "pipe",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => void child.kill() };
}

/** Measures the server's user and system time for each request, in microseconds. */
async function measureCost(
  { url, pid }: MeasuredServer,
  encoding: string,
  extra: string,
): Promise<number> {
  const before = await readCpuTime(pid);
  await sendRequests(
    url,
    `GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept-Encoding: ${encoding}\r\n${extra}\r\n`,
  );
  return ((await readCpuTime(pid)) - before) / requests;
}

/** Sends `request` repeatedly over every connection, each time after the previous response is complete. */
async function sendRequests(url: string, request: string): Promise<void> {
  let remainingRequests = requests;
  const { hostname, port } = new URL(url);
  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      let expectedBytes = -1;
      let receivedBytes = 0;
      const sendNext = (socket: Socket) => {
        if (remainingRequests-- <= 0) return void socket.end(resolve);
        expectedBytes = -1;
        receivedBytes = 0;
        socket.write(request);
      };
      const socket = connect(Number(port), hostname, () => sendNext(socket));
      socket.on("error", reject);
      socket.on("data", (bytes) => {
        receivedBytes += bytes.length;
        if (expectedBytes < 0) {
          const head = bytes.toString("latin1");
          const end = head.indexOf("\r\n\r\n") + 4;
          expectedBytes = end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        }
        if (receivedBytes >= expectedBytes) sendNext(socket);
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, runConnection));
}
