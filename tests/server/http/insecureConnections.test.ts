/** Over plain HTTP nobody can log in at a public address (specification, section 6.3). */
import { afterAll, describe, expect, test } from "bun:test";
import { readConfig } from "../../../src/server/shared/config.ts";
import {
  isPublicHttp,
  isPrivateHost,
  findUnencryptedSettings,
} from "../../../src/server/http/insecureConnections.ts";
import { OWNER } from "../../support/site.ts";
import { type Site, type SiteOptions, startSite } from "../../support/startSite.ts";

/** Sites by their settings, since tests with the same settings share a site. */
const sites = new Map<string, Promise<Site>>();
afterAll(async () => {
  for (const site of sites.values()) await (await site).stop();
});

function getSite(options: SiteOptions = {}): Promise<Site> {
  const key = JSON.stringify(options);
  const site = sites.get(key) ?? startSite(options);
  sites.set(key, site);
  return site;
}

const logIn = async (env: Record<string, string>, host: string, headers = {}) => {
  const site = await getSite({ env });
  return site.visitor().post("/api/auth/login", OWNER, { host, ...headers });
};

const PUBLIC_HOSTS =
  "example.com www.example.com:3000 203.0.113.5 172.32.0.1 192.169.0.1 [2001:db8::1] localhost.example.com";
const PRIVATE_HOSTS =
  "localhost localhost:3000 Ada.LOCALHOST nas nas.local shop.internal. box.home.arpa 127.0.0.1:8080 " +
  "127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.20 100.100.1.1 [::1]:3000 [fd00::1] [fe80::1]";

const getHostName = (host: string) => new URL(`http://${host}`).hostname;

test("hosts of this machine and of private networks are distinguished from public hosts", () => {
  const wrong = [
    ...PUBLIC_HOSTS.split(" ").filter((host) => isPrivateHost(getHostName(host))),
    ...PRIVATE_HOSTS.split(" ").filter((host) => !isPrivateHost(getHostName(host))),
  ];
  expect(wrong).toEqual([]);
  expect(["", "1", "1.2.3.4.5", "2001:db8::1"].filter((name) => isPrivateHost(name))).toEqual([]);
  expect(["NAS.local.", "localhost.", "[::1]"].filter((name) => !isPrivateHost(name))).toEqual([]);
  expect(isPublicHttp("http://example.com")).toBe(true);
  expect(isPublicHttp("https://example.com")).toBe(false);
  expect(isPublicHttp("http://nas.local:3000")).toBe(false);
});

describe("logging in", () => {
  test.each(["example.com", "203.0.113.5:3000", "[2001:db8::1]"])(
    "over unencrypted HTTP at %s is refused even with the right password, while pages are served",
    async (host) => {
      const { status, body, headers } = await logIn({}, host);
      expect([status, body.code]).toEqual([403, "insecure"]);
      expect(body.error).toStartWith("You can't log in here: this connection isn't encrypted");
      expect(headers.getSetCookie()).toEqual([]);
      const site = await getSite({ env: {} });
      const me = await site.visitor().get("/api/auth/me", { host });
      expect([me.status, me.body.code]).toEqual([403, "insecure"]);
      expect((await site.visitor().get("/api/hero", { host })).status).toBe(200);
      expect((await site.visitor().get("/", { host })).status).toBe(200);
    },
  );

  test.each(["localhost:3000", "127.0.0.1", "192.168.1.20:3000", "nas.local", "[::1]"])(
    "over unencrypted HTTP at %s is allowed",
    async (host) => {
      expect((await logIn({}, host)).status).toBe(200);
    },
  );

  test.each([
    ["SITE_URL is https", { SITE_URL: "https://example.com" }, {}],
    ["a setting says so", { PLAIN_LOGIN: "on" }, {}],
    ["a proxy on this machine says that it ends TLS", {}, { "x-forwarded-proto": "https" }],
    ["a proxy on this machine says so in capitals", {}, { "x-forwarded-proto": "HTTPS" }],
  ] as const)("at a public host is allowed if %s", async (_, env, headers) => {
    expect((await logIn(env, "example.com", headers)).status).toBe(200);
  });

  test.each([
    ["SITE_URL is http", { SITE_URL: "http://example.com" }, {}],
    ["a proxy reports plain HTTP", {}, { "x-forwarded-proto": "http" }],
  ] as const)("at a public host is refused if %s", async (_, env, headers) => {
    expect((await logIn(env, "example.com", headers)).status).toBe(403);
  });
});

test.each([
  ["postgres://a:b@db.example.com/site", ["DATABASE_URL"]],
  ["postgres://a:b@db.example.com/site?sslmode=prefer", ["DATABASE_URL"]],
  ["postgres://a:b@198.51.100.7/site?sslmode=verify-full", []],
  ["postgres://a:b@db.example.com/site?sslmode=require", []],
  ["postgres://a:b@database/site", []],
  ["postgres://a:b@10.0.0.3/site", []],
  ["postgres://a@localhost/site?host=/run/postgresql", []],
])(
  "a database at %s is reported if the connection can be intercepted",
  (DATABASE_URL, readable) => {
    expect(findUnencryptedSettings(readConfig([], { DATABASE_URL }).config)).toEqual(readable);
  },
);

test("a virus scanner at a public host is reported, since its connection isn't encrypted", () => {
  const readable = (CLAMD: string) => findUnencryptedSettings(readConfig([], { CLAMD }).config);
  expect(readable("scanner.example.com:3310")).toEqual(["CLAMD"]);
  for (const near of [
    "unix:/run/clamav/clamd.ctl",
    "127.0.0.1:3310",
    "10.0.0.4:3310",
    "clamav:3310",
  ])
    expect(readable(near)).toEqual([]);
});

test("a bucket of pictures is reported if the connection can be intercepted", () => {
  const keys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
  const readable = (endpoint: string) =>
    findUnencryptedSettings(
      readConfig([], { UPLOADS_S3: `s3://bucket?endpoint=${endpoint}`, ...keys }).config,
    );
  expect(readable("http://s3.example.com")).toEqual(["UPLOADS_S3"]);
  expect(readable("https://s3.example.com")).toEqual([]);
  expect(readable("http://10.0.0.4:8333")).toEqual([]);
});
