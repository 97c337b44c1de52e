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

test.each(HOSTS)("HOST=%s", async (host) => {
  const { config } = readConfig(["--host", host, "--port", "0"], {});
  const ignored = { print() {}, logLine() {}, reportCertificate() {} };
  const app = new Elysia().get("/", "here");
  const listening = await startListening(app, config, ignored);
  try {
    for (const at of [`${findReachableHost(config)}:${listening.port}`, listening.at])
      expect([at, await (await fetch(`http://${at}/`)).text()]).toEqual([at, "here"]);
  } finally {
    await listening.stop();
  }
});
