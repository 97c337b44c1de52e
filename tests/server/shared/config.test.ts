/** Settings by flag and environment (specification, section 1.4). */
import { describe, expect, test } from "bun:test";
import { readConfig, SETTINGS } from "../../../src/server/shared/config.ts";
import { wrongSetting } from "../../../src/server/shared/errors.ts";

const read = (args: string[], env: Record<string, string> = {}) => readConfig(args, env).config;

test("without any, the defaults of the design", () => {
  expect(read([])).toEqual({
    host: "127.0.0.1",
    port: 3000,
    dataDir: "./data",
    uploadsDir: "./uploads",
    siteUrl: undefined,
    trustedProxies: undefined,
    adminUsername: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    rateLimit: true,
    plainLogin: false,
    fontProvider: undefined,
    retentionDays: 30,
  });
});

test("every setting is a flag and an environment variable, and the flag wins", () => {
  for (const { flag, env, meaning } of Object.values(SETTINGS)) {
    expect(flag).toBe(`--${env.toLowerCase().replaceAll("_", "-")}`);
    expect(meaning.length).toBeGreaterThan(10);
  }
  expect(read(["--port", "8080"], { PORT: "9090" }).port).toBe(8080);
  expect(read(["--data-dir=/srv/data"], { PORT: "9090", HOST: "" })).toMatchObject({
    dataDir: "/srv/data",
    port: 9090,
    host: "127.0.0.1",
  });
});

test("arguments that are no settings are given back", () => {
  expect(readConfig(["backup", "--port", "1", "site.zip"], {}).rest).toEqual([
    "backup",
    "site.zip",
  ]);
});

test("values are brought to the form that is used", () => {
  expect(read([], { SITE_URL: "https://Ada.example/" }).siteUrl).toBe("https://ada.example");
  expect(read([], { TRUSTED_PROXIES: "10.0.0.0/8, ::1" }).trustedProxies).toEqual([
    "10.0.0.0/8",
    "::1",
  ]);
  expect(read([], { RATE_LIMIT: "off" }).rateLimit).toBe(false);
});

test("a command's own flags are told apart from the settings, with a value or alone", () => {
  const own = { "--restart": "value", "--older": "alone" } as const;
  const { config, rest, flags } = readConfig(
    ["--older", "next", "--restart=signal", "--port", "80"],
    {},
    own,
  );
  expect([config.port, rest, flags.get("--restart"), flags.get("--older")]).toEqual([
    80,
    ["next"],
    "signal",
    "",
  ]);
  expect(() => readConfig(["--older"], {})).toThrow(
    wrongSetting('There is no setting --older. Try "help".'),
  );
});

describe("a wrong value is refused in words that don't repeat it", () => {
  test.each([
    [["--port", "eighty"], {}, "--port must be a whole number from 0 to 65535."],
    [[], { PORT: "70000" }, "PORT must be a whole number from 0 to 65535."],
    [
      [],
      { SITE_URL: "ada.example" },
      "SITE_URL must be an address such as https://example.com, without a path.",
    ],
    [
      [],
      { SITE_URL: "https://ada.example/me" },
      "SITE_URL must be an address such as https://example.com, without a path.",
    ],
    [
      [],
      { SITE_URL: "javascript:x" },
      "SITE_URL must be an address such as https://example.com, without a path.",
    ],
    [
      [],
      { TRUSTED_PROXIES: "proxy.local" },
      "TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8.",
    ],
    [
      [],
      { TRUSTED_PROXIES: "10.0.0.0/64" },
      "TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8.",
    ],
    [[], { RATE_LIMIT: "no" }, "RATE_LIMIT must be on or off."],
    [[], { RETENTION_DAYS: "0" }, "RETENTION_DAYS must be a whole number from 1 to 3650."],
    [["--color", "red"], {}, 'There is no setting --color. Try "help".'],
    [["--port"], {}, "--port needs a value after it."],
  ] as [string[], Record<string, string>, string][])("%j %j", (args, env, words) => {
    expect(() => readConfig(args, env)).toThrow(wrongSetting(words));
  });
});

test.each([
  ["./data", "./data"],
  ["/srv/site", "/srv/site/uploads"],
  ["/srv/site/uploads/data", "/srv/site/uploads/"],
  ["data", "./data/../data/uploads"],
])("data in %s and uploads in %s are refused: one would hold the other", (data, uploads) => {
  expect(() => read(["--data-dir", data, "--uploads-dir", uploads])).toThrow(
    wrongSetting("DATA_DIR and UPLOADS_DIR must be two folders, neither inside the other."),
  );
});

test("folders side by side are fine, also when one's name begins with the other's", () => {
  expect(read(["--data-dir", "/srv/site", "--uploads-dir", "/srv/site-uploads"]).dataDir).toBe(
    "/srv/site",
  );
});
