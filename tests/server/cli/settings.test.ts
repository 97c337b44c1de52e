/** Settings as an operator meets them: in force, misspelled, or unusable. */
import { dlopen, ptr } from "bun:ffi";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig, findMisspelledSettings } from "../../../src/server/shared/config.ts";
import { SETTINGS } from "../../../src/server/shared/settings.ts";
import {
  createSiteFolder,
  collectOutput,
  getProgramPath,
  removeSiteFolder,
  serveProgram,
  type SiteFolder,
} from "../../support/program.ts";
import { waitForValue } from "../../support/waits.ts";

let site: SiteFolder;
beforeEach(async () => void (site = await createSiteFolder()));
afterEach(() => removeSiteFolder(site));

async function runCommand(args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([getProgramPath(), ...args], {
    cwd: site.folder,
    env: { PATH: process.env["PATH"]!, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  return collectOutput(child);
}

test("limelight settings shows the value and source of each setting, and no secret", async () => {
  const folder = join(site.folder, "credentials");
  await mkdir(folder);
  await writeFile(join(folder, "DATA_KEY"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  const env = {
    CREDENTIALS_DIRECTORY: folder,
    SITE_URL: "https://www.example.com",
    MAIL_URL: "smtps://ada:hush@mail.example.com",
    MAIL_FROM: "Ada <ada@example.com>",
  };
  const { code, out } = await runCommand(["settings", "--port", "8080"], env);
  const rows = out
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));
  expect([code, rows]).toEqual([
    0,
    [
      ["PORT", "8080", "flag"],
      ["DATA_KEY", "set", "credential"],
      ["SITE_URL", "https://www.example.com", "variable"],
      ["MAIL_URL", "set", "variable"],
      ["MAIL_FROM", "Ada <ada@example.com>", "variable"],
    ],
  ]);
  const all = await runCommand(["settings", "--all"], env);
  expect(all.out).toMatch(/^ {2}BACKUP_KEEP +7,4,12 +default$/m);
  expect(out + all.out).not.toContain("hush");
});

test("every setting that contains a password or key is marked as secret", () => {
  const secrets = Object.values(SETTINGS).filter(({ isSecret }) => isSecret);
  expect(secrets.map(({ env }) => env)).toEqual([
    "DATABASE_URL",
    "DATA_KEY",
    "ADMIN_PASSWORD",
    "MONITOR_TOKEN",
    "S3_SECRET_ACCESS_KEY",
    "MAIL_URL",
  ]);
});

test.each([
  ["SITEURL", "SITE_URL"],
  ["site_url", "SITE_URL"],
  ["LIMELIGHT_SITE_URL", "SITE_URL"],
  ["LIMELIGHT_DOMIAN", "DOMAIN"],
])("%s is recognized as a misspelling of %s", (misspelled, suggestion) => {
  const message = `Unknown setting ${misspelled}. Did you mean ${suggestion}?`;
  expect(findMisspelledSettings({ [misspelled]: "x" })).toEqual([message]);
});

const SETTING_NAMES = Object.values(SETTINGS).map(({ env }) => env as string);

/** Two letters swapped, one missing, one too many. */
const createMisspellings = (name: string): string[] => {
  const at = name.length >> 1;
  const [before, first = "", second = ""] = [name.slice(0, at - 1), name[at - 1], name[at]];
  const rest = name.slice(at + 1);
  const swapped = before + second + first + rest;
  return [swapped, before + second + rest, `${before + first + first}${second}${rest}`];
};

test("three misspellings of each setting are reported, except a short name that lacks a letter", () => {
  for (const name of SETTING_NAMES)
    for (const misspelled of createMisspellings(name).filter(
      (each) => !SETTING_NAMES.includes(each),
    ))
      if (name.length >= 6 || misspelled.length >= name.length)
        expect(findMisspelledSettings({ [misspelled]: "x" })).toEqual([
          expect.stringContaining(`Unknown setting ${misspelled}`),
        ]);
});

test("a misspelled credential is reported; variables of other programs aren't", async () => {
  const folder = join(site.folder, "credentials");
  await mkdir(folder);
  await writeFile(join(folder, "MIAL_URL"), "x");
  const env = { PATH: "x", CURTAIN: "x", CREDENTIALS_DIRECTORY: folder, INVOCATION_ID: "x" };
  expect(findMisspelledSettings(env)).toEqual(["Unknown setting MIAL_URL. Did you mean MAIL_URL?"]);
});

test("the commands settings and doctor report a misspelled setting", async () => {
  const line = "Unknown setting DOMIAN. Did you mean DOMAIN?";
  const env = { DOMIAN: "www.example.com" };
  expect((await runCommand(["settings"], env)).out).toContain(line);
  const doctor = await runCommand(["doctor"], env);
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`PROBLEM  ${line}`)]);
});

test("variables of the system aren't reported as misspelled settings", () => {
  const names = "HOME PATH MAIL USER LANG SHELL PWD TERM HOSTNAME SHLVL LOGNAME JOURNAL_STREAM";
  const systemEnv = Object.fromEntries(names.split(" ").map((name) => [name, "x"]));
  expect(findMisspelledSettings({ ...systemEnv, SITE_URL: "https://example.com" })).toEqual([]);
});

test("a misspelled flag is refused with a suggestion", () => {
  expect(() => readConfig(["--site-ur", "x"], {})).toThrow(
    "Unknown flag --site-ur. Did you mean --site-url?",
  );
  expect(() => readConfig(["--curtain", "x"], {})).toThrow('Run "limelight help".');
});

test("the setting EMAIL accepts one email address and nothing else", () => {
  const email = (address: string) => readConfig(["--email", address], {}).config.email;
  expect(email("ada@example.com")).toBe("ada@example.com");
  for (const wrong of ["ada", "ada@", "ada@example", "ada@example.com, ben@example.com"])
    expect(() => email(wrong)).toThrow("--email must be an address such as name@example.com.");
});

test("a start with an invalid setting exits with 78, so that systemd doesn't repeat the start", async () => {
  expect(await runCommand(["serve", "--port", "none"])).toMatchObject({ code: 78 });
  expect(await runCommand([], { SITE_URL: "example.com" })).toMatchObject({ code: 78 });
  expect(await runCommand(["doctor", "--port", "none"])).toMatchObject({ code: 2 });
  const unit = await Bun.file("docs/deploy/limelight.service").text();
  expect(unit).toContain("\nRestartPreventExitStatus=78\n");
});

describe("a start under a service manager", () => {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const MSG_DONTWAIT = 0x40;

  /** A socket like systemd's, at a path or an abstract name. */
  function createServiceManager(name: string) {
    const descriptor = symbols.socket(1, 2, 0);
    const path = Buffer.from(name.replace(/^@/, "\0"));
    const address = Buffer.concat([Buffer.from([1, 0]), path]);
    expect(symbols.bind(descriptor, ptr(address), address.length)).toBe(0);
    const buffer = Buffer.alloc(1000);
    return {
      receive() {
        const length = symbols.recv(descriptor, ptr(buffer), buffer.length, MSG_DONTWAIT);
        return Number(length) < 0 ? undefined : buffer.toString("utf8", 0, Number(length));
      },
      close: () => symbols.close(descriptor),
    };
  }

  test.each(["path", "abstract name"])("sends READY=1 once it serves (socket %s)", async (kind) => {
    const name =
      kind === "path" ? join(site.folder, "notify") : `@limelight-${process.pid}-${Date.now()}`;
    const listening = createServiceManager(name);
    try {
      const serving = await serveProgram(site, { NOTIFY_SOCKET: name });
      await waitForValue(() => listening.receive(), "READY=1");
      expect(listening.receive()).toBeUndefined();
      await serving.stop();
    } finally {
      listening.close();
    }
  });

  test("that fails doesn't send READY=1", async () => {
    const name = join(site.folder, "notify");
    const listening = createServiceManager(name);
    const { code } = await runCommand(["serve", "--port", "none"], { NOTIFY_SOCKET: name });
    expect(code).toBe(78);
    expect(listening.receive()).toBeUndefined();
    listening.close();
  });
});
