/** Settings by flag and environment (specification, section 1.4). */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  findMisspelledSettings,
  findSettingSource,
  readConfig,
  toEnvironment,
} from "../../../src/server/shared/config.ts";
import { SETTINGS } from "../../../src/server/shared/settings.ts";
import { wrongSetting } from "../../../src/server/shared/errors.ts";

const readTestConfig = (args: string[], env: Record<string, string> = {}) =>
  readConfig(args, env).config;

test("without settings the defaults apply", () => {
  expect(readTestConfig([])).toEqual({
    host: "127.0.0.1",
    port: 3000,
    siteDir: ".",
    dataDir: "./data",
    uploadsDir: "./uploads",
    databaseUrl: undefined,
    uploadsS3: undefined,
    uploadsPublicUrl: undefined,
    dataKey: undefined,
    clamd: undefined,
    siteUrl: undefined,
    domain: undefined,
    email: undefined,
    httpPort: 80,
    acmeDirectory: "https://acme-v02.api.letsencrypt.org/directory",
    certificatesDir: "./certificates",
    trustedProxies: undefined,
    adminUsername: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    rateLimit: true,
    plainLogin: false,
    httpsSubdomains: false,
    fontProvider: undefined,
    privateCalls: false,
    monitorToken: undefined,
    retentionDays: 30,
    backupDir: resolve("backups"),
    backupEvery: 24,
    backupKeep: [7, 4, 12],
    backupFree: 10,
    backupS3: undefined,
    backupKey: undefined,
    s3AccessKeyId: undefined,
    s3SecretAccessKey: undefined,
    mailUrl: undefined,
    mailFrom: undefined,
  });
});

test("SITE_DIR contains the four folders, each of which can be set separately", () => {
  const folders = (config: ReturnType<typeof readTestConfig>) =>
    (["dataDir", "uploadsDir", "backupDir", "certificatesDir"] as const).map(
      (each) => config[each],
    );
  const at = (...names: string[]) => names.map((name) => join("/srv/ada", name));
  expect(folders(readTestConfig(["--site-dir", "/srv/ada"]))).toEqual(
    at("data", "uploads", "backups", "certificates"),
  );
  expect(folders(readTestConfig(["--backup-dir", "/mnt/kept"], { SITE_DIR: "/srv/ada" }))).toEqual([
    ...at("data", "uploads"),
    "/mnt/kept",
    ...at("certificates"),
  ]);
});

describe("a file in CREDENTIALS_DIRECTORY that is named after a setting", () => {
  const folder = mkdtempSync(join(tmpdir(), "limelight-credentials-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const CREDENTIALS = { CREDENTIALS_DIRECTORY: folder };

  test("contains the setting's value, unless a flag or a variable is set", () => {
    writeFileSync(join(folder, "MAIL_URL"), "smtps://me:hush@mail.example.com\n");
    const env = { ...CREDENTIALS, MAIL_FROM: "a@example.com" };
    expect(readTestConfig([], env).mailUrl?.account).toMatchObject({ host: "mail.example.com" });
    const other = { ...env, MAIL_URL: "smtps://me:hush@other.example.com" };
    expect(readTestConfig([], other).mailUrl?.account).toMatchObject({ host: "other.example.com" });
    expect(
      readTestConfig([], { CREDENTIALS_DIRECTORY: join(folder, "missing") }).mailUrl,
    ).toBeUndefined();
  });

  test("is read even if the environment has Windows line breaks, or the setting's variable is empty", () => {
    writeFileSync(join(folder, "ADMIN_USERNAME"), "vera\r\n");
    writeFileSync(join(folder, "ADMIN_USERNAMES"), "");
    const env = {
      MAIL_FROM: "a@example.com",
      CREDENTIALS_DIRECTORY: `${folder}\r`,
      ADMIN_USERNAME: "\r",
      SITE_URL: "\r",
    };
    expect(readTestConfig([], env).adminUsername).toBe("vera");
    const sourceOf = (name: "adminUsername" | "siteUrl") => findSettingSource(name, new Map(), env);
    expect([sourceOf("adminUsername"), sourceOf("siteUrl")]).toEqual(["credential", "default"]);
    expect(findMisspelledSettings(env)).toEqual([
      "Unknown setting ADMIN_USERNAMES. Did you mean ADMIN_USERNAME?",
    ]);
    for (const name of ["ADMIN_USERNAME", "ADMIN_USERNAMES"]) rmSync(join(folder, name));
  });

  test("is reported if its folder can't be entered", () => {
    const file = join(folder, "NO_FOLDER");
    writeFileSync(file, "");
    expect(() => readTestConfig([], { CREDENTIALS_DIRECTORY: file })).toThrow(
      /^\w+ can't be read from .*NO_FOLDER\. Give the service's user permission/,
    );
    rmSync(file);
  });

  test("is reported by name if it is unreadable or invalid, without its content", () => {
    mkdirSync(join(folder, "BACKUP_S3"));
    expect(() => readTestConfig([], CREDENTIALS)).toThrow(
      /^BACKUP_S3 can't be read from .*\. Give the service's/,
    );
    rmSync(join(folder, "BACKUP_S3"), { recursive: true });
    writeFileSync(join(folder, "PORT"), "hush");
    const wrong = () => readTestConfig([], CREDENTIALS);
    expect(wrong).toThrow("PORT");
    expect(wrong).not.toThrow("hush");
  });
});

test("CLAMD can be a Unix socket or a host with a port, and other values are refused", () => {
  const at = (CLAMD: string) => readTestConfig([], { CLAMD }).clamd?.connectOptions;
  expect(at("unix:/run/clamav/clamd.ctl")).toEqual({ path: "/run/clamav/clamd.ctl" });
  expect(at("scanner.example.com:3310")).toEqual({ host: "scanner.example.com", port: 3310 });
  expect(at("[::1]:3310")).toEqual({ host: "::1", port: 3310 });
  for (const wrong of ["/run/clamd", "scanner", "http://scanner:3310", "scanner:99999", "[::::]:1"])
    expect(() => at(wrong)).toThrow("CLAMD must be the address of clamd");
});

describe("DATA_KEY", () => {
  const [one, otherKey] = ["A", "B"].map((letter) => `${letter.repeat(42)}E=`);

  test("can be one key, a new key followed by earlier ones, or off followed by earlier ones", () => {
    const keys = (DATA_KEY: string) => readTestConfig([], { DATA_KEY }).dataKey;
    expect(keys(one!)).toEqual([one!]);
    expect(keys(`${one}, ${otherKey}`)).toEqual([one!, otherKey!]);
    expect(keys(`off,${otherKey}`)).toEqual(["off", otherKey!]);
  });

  test.each(["velvet curtain nine", "A".repeat(44), `${"A".repeat(42)}E=,off`])(
    "is refused if it is %s, and not repeated in the message",
    (key) => {
      const wrong = () => readTestConfig([], { DATA_KEY: key });
      expect(wrong).toThrow(/^DATA_KEY must be 32 random bytes in base64/);
      expect(wrong).not.toThrow(key);
    },
  );
});

describe("mail settings", () => {
  const FROM = { MAIL_FROM: "Vera Lane <hello@example.com>" };
  const readMailUrl = (MAIL_URL: string) => readTestConfig([], { ...FROM, MAIL_URL }).mailUrl!;

  test("a mail server can use TLS, STARTTLS, or no encryption on this machine", () => {
    const server = { kind: "smtp", host: "mail.example.com" };
    const whole = readMailUrl("smtps://me%40example.com:p%40ss@mail.example.com");
    const tls = { ...server, port: 465, security: "tls", username: "me@example.com" };
    expect(whole).toMatchObject({ account: tls, secret: "p@ss" });
    const starttls = { ...server, port: 2587, security: "starttls" };
    expect(readMailUrl("smtp+starttls://u:p@mail.example.com:2587").account).toMatchObject(
      starttls,
    );
    expect(readMailUrl("smtp://127.0.0.1:2525").account).toMatchObject({ security: "none" });
  });

  test.each([
    ["resend://re_AbC", { kind: "resend" }, "re_AbC"],
    ["postmark://Ab-12", { kind: "postmark" }, "Ab-12"],
    [
      "mailgun://Key@mg.example.com?region=EU",
      { kind: "mailgun", domain: "mg.example.com", eu: true },
      "Key",
    ],
    ["ses://ID:S%2Fecret@eu-west-1", { kind: "ses", region: "eu-west-1", keyId: "ID" }, "S/ecret"],
  ])("MAIL_URL=%s sets a provider and its key", (url, provider, secret) => {
    expect(readMailUrl(url)).toMatchObject({ account: provider, secret });
  });

  test("MAIL_FROM is the sender's email address, with or without a name", () => {
    const vera = { name: "Vera Lane", address: "hello@example.com" };
    expect(readTestConfig([], FROM).mailFrom).toMatchObject(vera);
    expect(readTestConfig([], { MAIL_FROM: "a@example.com" }).mailFrom).toMatchObject({ name: "" });
    const address = "vera@xn--mller-kva.example";
    for (const MAIL_FROM of ["Vera <vera@müller.example>", "mailto:vera@müller.example"])
      expect(readTestConfig([], { MAIL_FROM }).mailFrom).toMatchObject({ address });
  });

  test.each([
    ["smtp://mail.example.com", "only on this machine"],
    ["http://example.com", "must be smtps://"],
    ["resend://", "must be smtps://"],
    ["nonsense", "must be smtps://"],
    ["constructor://mail.example.com", "must be smtps://"],
  ])("MAIL_URL=%s is refused with a message", (url, words) => {
    expect(() => readMailUrl(url)).toThrow(words);
  });

  test("MAIL_URL needs MAIL_FROM, which must contain an email address", () => {
    expect(() => readTestConfig([], { MAIL_URL: "resend://key" })).toThrow(
      "MAIL_URL needs MAIL_FROM",
    );
    expect(() => readTestConfig([], { MAIL_FROM: "Vera" })).toThrow(
      "must be Name <address@example.com>",
    );
  });
});

describe("backups", () => {
  const KEY = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
  const REMOTE = {
    BACKUP_S3: "s3://our-bucket/sites/ada?endpoint=https://s3.example.com/&region=eu-1",
    BACKUP_KEY: KEY,
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  };

  test("are next to the data by default, and never inside the site's folders", () => {
    expect(readTestConfig(["--data-dir", "/srv/ada/data"]).backupDir).toBe("/srv/ada/backups");
    expect(readTestConfig([], { BACKUP_DIR: "/mnt/backups" }).backupDir).toBe("/mnt/backups");
    for (const folder of ["./data/backups", "./uploads"])
      expect(() => readTestConfig([], { BACKUP_DIR: folder })).toThrow(
        wrongSetting("BACKUP_DIR must be outside DATA_DIR and UPLOADS_DIR."),
      );
  });

  test("are made at an interval that divides a day, or not at all", () => {
    expect(readTestConfig([], { BACKUP_EVERY: "6" }).backupEvery).toBe(6);
    expect(readTestConfig([], { BACKUP_EVERY: "off" }).backupEvery).toBeNull();
    for (const wrong of ["0", "5", "48", "daily"])
      expect(() => readTestConfig([], { BACKUP_EVERY: wrong })).toThrow(
        "BACKUP_EVERY must be 1, 2, 3",
      );
  });

  test("go to the bucket, folder, endpoint and region in BACKUP_S3", () => {
    expect(readTestConfig([], REMOTE).backupS3).toEqual({
      bucket: "our-bucket",
      prefix: "sites/ada/",
      endpoint: "https://s3.example.com",
      region: "eu-1",
      text: REMOTE.BACKUP_S3,
    });
    const wrong = ["https://x", "s3://", "s3://b?endpoint=x", "s3://b?key=1", "s3://id:secret@b"];
    wrong.push("s3://b?endpoint=https://s3.example.com;region=eu-1");
    wrong.push(
      "s3://b?endpoint=https://host:99999",
      "s3://b?endpoint=https://[::1",
      "s3://b?endpoint=",
    );
    for (const BACKUP_S3 of wrong)
      expect(() => readTestConfig([], { ...REMOTE, BACKUP_S3 })).toThrow(
        "BACKUP_S3 must be an address",
      );
  });

  test("use the default region if none is set", () => {
    for (const region of ["", "%20"]) {
      const BACKUP_S3 = `s3://our-bucket?region=${region}`;
      expect(readTestConfig([], { ...REMOTE, BACKUP_S3 }).backupS3?.region).toBeUndefined();
    }
  });

  test("are never uploaded without a valid key", () => {
    expect(() => readTestConfig([], { ...REMOTE, BACKUP_KEY: "" })).toThrow(
      "BACKUP_S3 requires BACKUP_KEY",
    );
    expect(() => readTestConfig([], { ...REMOTE, BACKUP_KEY: "AGE-SECRET-KEY-1QQ" })).toThrow(
      "BACKUP_KEY must be a public key",
    );
    expect(() => readTestConfig([], { ...REMOTE, S3_SECRET_ACCESS_KEY: "" })).toThrow(
      "BACKUP_S3 needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.",
    );
    expect(readTestConfig([], { BACKUP_KEY: `${KEY}, ${KEY}` }).backupKey).toEqual([KEY, KEY]);
  });

  test("are refused if the environment has another program's session token", () => {
    for (const name of ["AWS_SESSION_TOKEN", "S3_SESSION_TOKEN"]) {
      const words = `${name} belongs to a temporary key, and would be sent to the bucket with S3_ACCESS_KEY_ID. Remove it from the environment.`;
      for (const bucket of [REMOTE, { ...REMOTE, BACKUP_S3: "", UPLOADS_S3: "s3://pictures" }])
        expect(() => readTestConfig([], { ...bucket, [name]: "of-others" })).toThrow(
          wrongSetting(words),
        );
      expect(readTestConfig([], { [name]: "of-others" }).backupS3).toBeUndefined();
    }
  });

  test("can be made by another process, which gets the same settings", () => {
    const config = readTestConfig(["--backup-every=off", "--backup-free", "5"], REMOTE);
    const variables = toEnvironment(config, Object.keys(SETTINGS) as never);
    expect(readTestConfig([], variables)).toEqual(config);
  });
});

test("a database or bucket with an invalid URL or a missing key is refused with a message", () => {
  for (const DATABASE_URL of ["mysql://db/site", "postgres://db", "postgres:///site", "db"])
    expect(() => readTestConfig([], { DATABASE_URL })).toThrow(
      "DATABASE_URL must be an address such as",
    );
  expect(() => readTestConfig([], { DATABASE_URL: "postgres://db/site?schema=A-B" })).toThrow(
    "DATABASE_URL has an invalid schema",
  );
  const UPLOADS_S3 = "s3://pictures?endpoint=https://s3.example.com&region=eu-1";
  expect(() => readTestConfig([], { UPLOADS_S3 })).toThrow(
    "UPLOADS_S3 needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  );
  expect(() => readTestConfig([], { UPLOADS_S3: "https://pictures" })).toThrow(
    "UPLOADS_S3 must be an address",
  );
});

test("every setting is a flag and an environment variable, and the flag wins", () => {
  for (const { flag, env, description } of Object.values(SETTINGS)) {
    expect(flag).toBe(`--${env.toLowerCase().replaceAll("_", "-")}`);
    expect(description.length).toBeGreaterThan(10);
  }
  expect(readTestConfig(["--port", "8080"], { PORT: "9090" }).port).toBe(8080);
  expect(readTestConfig(["--data-dir=/srv/data"], { PORT: "9090", HOST: "" })).toMatchObject({
    dataDir: "/srv/data",
    port: 9090,
    host: "127.0.0.1",
  });
});

test("command line arguments that aren't settings are returned in order", () => {
  expect(readConfig(["backup", "--port", "1", "site.zip"], {}).positionals).toEqual([
    "backup",
    "site.zip",
  ]);
});

test("domains and lists in settings are normalized", () => {
  for (const SITE_URL of [
    "https://Ada.example/",
    "https://ada.example.",
    "https://ada.example:443",
  ])
    expect(readTestConfig([], { SITE_URL }).siteUrl).toBe("https://ada.example");
  const DOMAIN = "Müller.example., www.müller.example, müller.example";
  const names = ["xn--mller-kva.example", "www.xn--mller-kva.example"];
  expect(readTestConfig([], { DOMAIN, SITE_URL: "https://müller.example" }).domain).toEqual(names);
  expect(readTestConfig([], { TRUSTED_PROXIES: "10.0.0.0/8, ::1" }).trustedProxies).toEqual([
    "10.0.0.0/8",
    "::1",
  ]);
  expect(readTestConfig([], { RATE_LIMIT: "off" }).rateLimit).toBe(false);
});

test("line breaks of an environment file saved on Windows are removed from its values", () => {
  const ADMIN_PASSWORD = "velvet curtain nine ";
  const lines = { PORT: "80\r", RATE_LIMIT: "off\r", BACKUP_EVERY: "off\r\n", SITE_URL: "\r" };
  expect(readTestConfig([], { ...lines, ADMIN_PASSWORD: `${ADMIN_PASSWORD}\r` })).toMatchObject({
    port: 80,
    rateLimit: false,
    backupEvery: null,
    siteUrl: undefined,
    adminPassword: ADMIN_PASSWORD,
  });
});

test("a command's own flags are separated from the settings, with or without a value", () => {
  const commandFlags = { "--restart": "value", "--allow-downgrade": "switch" } as const;
  const { config, positionals, flags } = readConfig(
    ["--allow-downgrade", "next", "--restart=signal", "--port", "80"],
    {},
    commandFlags,
  );
  expect([
    config.port,
    positionals,
    flags.get("--restart"),
    flags.get("--allow-downgrade"),
  ]).toEqual([80, ["next"], "signal", ""]);
  expect(() => readConfig(["--allow-downgrade"], {})).toThrow(
    wrongSetting('Unknown flag --allow-downgrade. Run "limelight help".'),
  );
  for (const flag of ["--allow-downgrade=false", "--allow-downgrade=no", "--allow-downgrade="])
    expect(() => readConfig([flag], {}, commandFlags)).toThrow(
      wrongSetting("--allow-downgrade takes no value. Leave the flag out to turn it off."),
    );
});

describe("an invalid value is refused with a message that doesn't repeat it", () => {
  const NUMBER = "must be a whole number from";
  const ADDRESS = "SITE_URL must be an address such as https://example.com, without a path.";
  const NETWORKS = "TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8.";
  const PERCENT = "MAIL_URL contains a literal %. Write it as %25.";
  const SEPARATORS =
    "has a #, / or ? in its user, password or key. Write %23, %2F or %3F in its place";
  const mail = { MAIL_URL: "smtps://ada:100%25%@mail.example", MAIL_FROM: "ada@example.com" };
  const domain = { DOMAIN: "ada.example", SITE_URL: "http://ada.example" };

  test.each([
    ["--port eighty", `--port ${NUMBER} 0 to 65535.`],
    ["--color red", 'Unknown flag --color. Run "limelight help".'],
    ["--port", "--port needs a value after it."],
  ])("%s", (args, words) => {
    expect(() => readTestConfig(args.split(" "))).toThrow(wrongSetting(words));
  });

  test.each<[Record<string, string>, string]>([
    [{ PORT: "70000" }, `PORT ${NUMBER} 0 to 65535.`],
    [{ SITE_URL: "ada.example" }, ADDRESS],
    [{ SITE_URL: "https://ada.example/me" }, ADDRESS],
    [{ SITE_URL: "javascript:x" }, ADDRESS],
    [{ TRUSTED_PROXIES: "proxy.local" }, NETWORKS],
    [{ TRUSTED_PROXIES: "10.0.0.0/64" }, NETWORKS],
    [domain, "SITE_URL must start with https:// and use a name from DOMAIN."],
    [mail, PERCENT],
    ...[
      "smtps://ann%40example.com:p#ss@mail.example.com:465",
      "smtps://ann:p?w@mail.example.com",
      "smtps://ann:12#34@mail.example.com",
      "smtps://a/n:password@mail.example.com",
      "mailgun://key?1@mg.example.com",
      "ses://AKIAEXAMPLE:ab/cd+ef@eu-west-1",
      "postmark://ab#cd",
    ].map((MAIL_URL): [Record<string, string>, string] => [
      { MAIL_URL, MAIL_FROM: "ada@example.com" },
      `MAIL_URL ${SEPARATORS}.`,
    ]),
    ...["u:12/3@db.example/site", "u:12#3@db.example/site", "u:p?3@db.example/site"].map(
      (rest): [Record<string, string>, string] => [
        { DATABASE_URL: `postgres://${rest}` },
        `DATABASE_URL ${SEPARATORS}.`,
      ],
    ),
    [{ RATE_LIMIT: "no" }, "RATE_LIMIT must be on or off."],
    [{ RETENTION_DAYS: "0" }, `RETENTION_DAYS ${NUMBER} 1 to 3650.`],
  ])("%j", (env, words) => {
    expect(() => readTestConfig([], env)).toThrow(wrongSetting(words));
  });
});

test.each([
  ["./data", "./data"],
  ["/srv/site", "/srv/site/uploads"],
  ["/srv/site/uploads/data", "/srv/site/uploads/"],
  ["data", "./data/../data/uploads"],
])("data in %s and uploads in %s are refused, since one contains the other", (data, uploads) => {
  expect(() => readTestConfig(["--data-dir", data, "--uploads-dir", uploads])).toThrow(
    wrongSetting("DATA_DIR and UPLOADS_DIR must be separate folders, neither inside the other."),
  );
});

test("data and uploads in sibling folders are accepted, even if one name begins with the other", () => {
  expect(
    readTestConfig(["--data-dir", "/srv/site", "--uploads-dir", "/srv/site-uploads"]).dataDir,
  ).toBe("/srv/site");
});
