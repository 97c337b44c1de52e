/** The content of `/api/health` and `/metrics` for monitors, and access to the details. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { entities } from "../../../src/schema/index.ts";
import { PROBLEM_NAMES } from "../../../src/server/shared/notice.ts";
import { waitForValue, type Site, startSite } from "../../support/testSite.ts";
import { createDiskError, createFaultyDisk } from "../storage/faultyDisk.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const TOKEN = "velvet-curtain-nine-0";
/** The header of a proxy for a request from elsewhere. */
const FROM_ELSEWHERE = { "x-forwarded-for": "203.0.113.9" };

let site: Site;
afterEach(() => site.stop());

const fetchPath = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers });

/** Fetches a fresh result. Results are cached for five seconds. */
async function fetchHealth(headers: Record<string, string> = {}) {
  site.advance(6000);
  const response = await fetchPath("/api/health", headers);
  return { status: response.status, body: (await response.json()) as any };
}

/** The state after a move to another machine, whose secret can't decrypt the password. */
const breakMailPassword = () =>
  site.store.of(entities.mailSettings).update((settings) => ({
    ...settings,
    account: { kind: "smtp", host: "mail.example.com", port: 465, security: "tls", username: "a" },
    sealedSecret: "of another installation",
    fromAddress: "ada@example.com",
  }));

describe("/api/health", () => {
  test("returns 200 while nothing needs attention", async () => {
    site = await startSite();
    expect(await fetchHealth(FROM_ELSEWHERE)).toEqual({ status: 200, body: { status: "ok" } });
    const attention = await fetchPath("/api/health/attention", FROM_ELSEWHERE);
    expect([attention.status, await attention.json()]).toEqual([200, { status: "ok" }]);
    const siteOf = async (headers = {}) =>
      (await fetchPath("/api/health", headers)).headers.get("limelight-site");
    expect([await siteOf(), await siteOf(FROM_ELSEWHERE)]).toEqual([site.store.siteId, null]);
  });

  test("returns 200 and degraded while mail can't be sent, and shows strangers only the problem's name", async () => {
    site = await startSite({ env: { MONITOR_TOKEN: TOKEN } });
    await breakMailPassword();
    const named = { status: "degraded", failing: [{ name: "mail" }] };
    const degraded = {
      status: "degraded",
      failing: [{ name: "mail", message: expect.any(String) }],
    };
    const bearer = (token: string) => ({ ...FROM_ELSEWHERE, authorization: `Bearer ${token}` });
    expect(await fetchHealth(FROM_ELSEWHERE)).toEqual({ status: 200, body: named });
    expect(await fetchHealth(bearer("velvet-curtain-nine-1"))).toEqual({
      status: 200,
      body: named,
    });
    expect(await fetchHealth({ authorization: "Bearer wrong" })).toEqual({
      status: 200,
      body: named,
    });
    expect(await fetchHealth(bearer(TOKEN))).toEqual({ status: 200, body: degraded });
    expect(await fetchHealth()).toEqual({ status: 200, body: degraded });
    const attention = await fetchPath("/api/health/attention", {
      ...FROM_ELSEWHERE,
      host: "10.0.0.1",
    });
    expect([attention.status, await attention.json()]).toEqual([503, named]);
  });

  test("returns 503 when nothing can be saved", async () => {
    let isFull = false;
    const disk = createFaultyDisk((operation) => {
      if (isFull && operation === "write") throw createDiskError("ENOSPC");
    });
    site = await startSite({ disk });
    expect((await fetchHealth(FROM_ELSEWHERE)).status).toBe(200);
    isFull = true;
    for (const path of ["/api/health", "/api/health/attention"]) {
      site.advance(6000);
      const response = await fetchPath(path);
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { status: "failing", failing: [{ name: "writes" }] },
      ]);
    }
  });

  test("names the backup as the problem when no backup was made for two days", async () => {
    site = await startSite();
    const { backupDir } = site.config;
    const short = site.store.siteId.slice(0, 8);
    const failure = { at: new Date().toISOString(), message: "The disk is full.", times: 3 };
    await mkdir(backupDir, { recursive: true });
    await writeFile(
      join(backupDir, `limelight-${short}.json`),
      JSON.stringify({ format: 1, backups: {}, failure }),
    );
    expect((await fetchHealth()).status).toBe(200);
    site.advance(3 * DAY_MS);
    await waitForValue(async () => (await fetchHealth()).body, {
      status: "degraded",
      failing: [{ name: "backup", message: "The disk is full." }],
    });
  });
});

describe("/metrics", () => {
  const readMetrics = async (headers: Record<string, string> = {}) => {
    const text = await (await fetchPath("/metrics", headers)).text();
    const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
    return new Map(lines.map((line) => line.split(/ (?=\S+$)/) as [string, string]));
  };

  test("is in Prometheus' text format, each metric with its type and description", async () => {
    site = await startSite();
    const response = await fetchPath("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    expect(text).toEndWith("\n");
    const described = new Set<string>();
    for (const line of text.trimEnd().split("\n")) {
      const [, name] = /^# TYPE (\w+) (?:counter|gauge)$/.exec(line) ?? [];
      if (name) described.add(name);
      else if (!line.startsWith("# HELP")) {
        const of = /^(\w+)(?:\{\w+="[^"]*"\})? -?[\d.]+(?:e[+-]?\d+)?$/.exec(line)?.[1];
        expect([line, described.has(of ?? "")]).toEqual([line, true]);
      }
    }
    expect(described.size).toBeGreaterThan(10);
  });

  /** The alerts that hardening.md recommends. */
  const readAlerts = async () => {
    const text = await Bun.file("docs/hardening.md").text();
    const [, advice = ""] = /Useful alerts: (.+?)\n\n/s.exec(text) ?? [];
    return [...advice.matchAll(/`([^`]+ [<>=]+ [^`]+)`/g)].map(([, rule = ""]) => rule);
  };

  test("has every metric that the documented alerts read", async () => {
    site = await startSite();
    const names = new Set(
      [...(await readMetrics()).keys()].map((name) => name.replace(/\{.*/, "")),
    );
    const rules = await readAlerts();
    expect(rules).toHaveLength(3);
    for (const rule of rules)
      for (const [name] of rule.matchAll(/limelight_\w+/g)) expect(names).toContain(name);
  });

  test.skipIf(!Bun.which("promtool"))(
    "promtool accepts the metrics and the documented alerts (skipped without promtool)",
    async () => {
      site = await startSite();
      const metrics = await (await fetchPath("/metrics")).bytes();
      const rules = (await readAlerts()).map((expr, at) => ({ alert: `Alert${at}`, expr }));
      const groups = Buffer.from(JSON.stringify({ groups: [{ name: "limelight", rules }] }));
      const check = (what: string, input: Uint8Array, ...file: string[]) => {
        const command = ["promtool", "check", what, ...file];
        const { exitCode, stderr } = Bun.spawnSync(command, { stdin: input });
        return [exitCode, stderr.toString()];
      };
      expect(check("metrics", metrics)).toEqual([0, ""]);
      expect(check("rules", groups, "/dev/stdin")).toEqual([0, ""]);
    },
  );

  test("counts requests and changes, and shows each problem as 0 or 1", async () => {
    site = await startSite();
    const before = await readMetrics();
    expect(before.get(`limelight_build_info{version="${packageJson.version}"}`)).toBe("1");
    expect(PROBLEM_NAMES.map((name) => before.get(`limelight_problem{name="${name}"}`))).toEqual(
      PROBLEM_NAMES.map(() => "0"),
    );
    for (let at = 0; at < 3; at++) await (await fetchPath("/")).bytes();
    await (await fetchPath("/api/nowhere")).bytes();
    await site.asOwner("POST", "/api/hero", { mainTitle: "New" });
    await breakMailPassword();
    site.advance(6000);
    const after = await readMetrics();
    const grown = (name: string) => Number(after.get(name)) - Number(before.get(name));
    // The first call of /metrics, three pages, the login and the save.
    expect(grown('limelight_http_requests_total{code="2xx"}')).toBe(6);
    expect(grown('limelight_http_requests_total{code="4xx"}')).toBe(1);
    expect(grown("limelight_changes_total")).toBeGreaterThanOrEqual(2);
    expect(after.get('limelight_problem{name="mail"}')).toBe("1");
    // A backup at time 0 makes an alert on its age fire. The settings have no off-site location.
    expect(after.get('limelight_backup_timestamp_seconds{location="local"}')).toBe("0");
    expect(after.has('limelight_backup_timestamp_seconds{location="offsite"}')).toBe(false);
    expect(Number(after.get('limelight_disk_free_bytes{folder="backups"}'))).toBeGreaterThan(0);
    expect(Number(after.get('limelight_disk_free_bytes{folder="data"}'))).toBeGreaterThan(0);
    expect(Number(after.get("process_resident_memory_bytes"))).toBeGreaterThan(10_000_000);
  });

  test("can be read only with the token or from this machine, with any Host header", async () => {
    const env = { SITE_URL: "https://www.example.com", MONITOR_TOKEN: TOKEN };
    site = await startSite({ env });
    expect((await fetchPath("/metrics", FROM_ELSEWHERE)).status).toBe(404);
    expect((await fetchPath("/metrics", { authorization: "Bearer wrong" })).status).toBe(404);
    expect((await fetchPath("/metrics")).status).toBe(200);
    const authorized = { ...FROM_ELSEWHERE, authorization: `Bearer ${TOKEN}` };
    expect((await fetchPath("/metrics", authorized)).status).toBe(200);
  });

  test("can be read only from this machine if no token is set", async () => {
    site = await startSite();
    const none = { ...FROM_ELSEWHERE, authorization: "Bearer " };
    expect((await fetchPath("/metrics", none)).status).toBe(404);
    expect((await fetchPath("/metrics", { authorization: "Bearer undefined" })).status).toBe(404);
    expect((await fetchPath("/metrics")).status).toBe(200);
  });
});
