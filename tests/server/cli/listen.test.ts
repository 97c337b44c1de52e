/** The addresses printed at the start can be opened, whatever the site listens on. */
import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import { startListening } from "../../../src/server/cli/listen.ts";
import { findReachableHost } from "../../../src/server/http/listenOptions.ts";
import { readConfig } from "../../../src/server/shared/config.ts";

const hasIPv6 = (() => {
  try {
    Bun.listen({ hostname: "::1", port: 0, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
})();

const HOSTS = ["127.0.0.1", "0.0.0.0", ...(hasIPv6 ? ["::1", "::"] : [])];

test.each(HOSTS)("a site with HOST=%s responds at the addresses that it reports", async (host) => {
  const { config } = readConfig(["--host", host, "--port", "0"], {});
  const ignored = { print() {}, log() {}, reportProblem() {} };
  const app = new Elysia().get("/", "here");
  const listening = await startListening(app, config, ignored);
  try {
    for (const at of [`${findReachableHost(config)}:${listening.port}`, listening.localAddress])
      expect([at, await (await fetch(`http://${at}/`)).text()]).toEqual([at, "here"]);
  } finally {
    await listening.stop();
  }
});

test("a start on a port in use is refused with advice on what to change, which depends on DOMAIN", async () => {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("other") });
  const ignored = { print() {}, log() {}, reportProblem() {} };
  const start = (...flags: string[]) => {
    const { config } = readConfig(["--host", "127.0.0.1", ...flags], {});
    return startListening(new Elysia(), config, ignored);
  };
  const port = String(other.port);
  try {
    await expect(start("--port", port)).rejects.toThrow("To use another port, set PORT.");
    await expect(start("--port", "0", "--http-port", port, "--domain", "a.test")).rejects.toThrow(
      "Check that HOST is an address of this machine and that no other program uses these ports.",
    );
  } finally {
    await other.stop(true);
  }
});
