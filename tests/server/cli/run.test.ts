/** Every argument of a command has a meaning or is refused. */
import { afterEach, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { runCommand } from "../../../src/server/cli/run.ts";
import { SETTINGS } from "../../../src/server/shared/settings.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";
import { createSiteFolder, removeSiteFolder, type SiteFolder } from "../../support/program.ts";

let site: SiteFolder | undefined;
afterEach(async () => {
  if (site) await removeSiteFolder(site);
  site = undefined;
});

test.each(["doctor", "demo"])("limelight %s refuses an argument and does nothing", async (name) => {
  site = await createSiteFolder();
  const { folder, dataDir, uploadsDir } = site;
  const errors = spyOn(console, "error").mockImplementation(() => {});
  const logged = spyOn(console, "log").mockImplementation(() => {});
  try {
    const settings = ["--data-dir", dataDir, "--uploads-dir", uploadsDir];
    expect(await runCommand([name, "/srv/site/data", ...settings])).toBe(2);
    expect(errors.mock.calls.flat()).toEqual([
      `limelight ${name} accepts only flags, such as --data-dir ./data. Nothing was done.`,
      "See: limelight help",
    ]);
    expect(logged).not.toHaveBeenCalled();
    expect(await Array.fromAsync(new Bun.Glob("**").scan(folder))).toEqual([]);
  } finally {
    errors.mockRestore();
    logged.mockRestore();
  }
});

test("NODE_TLS_REJECT_UNAUTHORIZED=0 doesn't make the program accept any certificate", async () => {
  site = await createSiteFolder();
  const { key, chain } = await createSelfSignedCertificate(1, "localhost");
  const askedFor: string[] = [];
  await using store = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key, cert: chain },
    fetch({ url }) {
      askedFor.push(url);
      return new Response(null, { status: 404 });
    },
  });
  const main = join(import.meta.dir, "../../../src/main.ts");
  const doctor = Bun.spawn([process.execPath, main, "doctor", "--data-dir", site.dataDir], {
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      UPLOADS_S3: `s3://pictures?endpoint=https://localhost:${store.port}`,
      UPLOADS_DIR: site.uploadsDir,
      S3_ACCESS_KEY_ID: "name",
      S3_SECRET_ACCESS_KEY: "secret",
    },
    stderr: "pipe",
  });
  const [errors, said] = await Promise.all([
    new Response(doctor.stderr).text(),
    new Response(doctor.stdout).text(),
  ]);
  expect(errors).toContain("NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect");
  expect(said).toContain("The picture bucket");
  expect(askedFor).toEqual([]);
});

test("help shows each command with its summary, and the settings that most sites need", async () => {
  const lines = await runAndReadOutput(["help"]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}doctor +checks every file of the site$/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}--site-url, SITE_URL +the public address/),
  );
  expect(lines.join()).not.toContain("--accept");
  expect(lines.length).toBeLessThan(35);
});

test("limelight help shows a command's flags, and limelight help settings shows all settings by need", async () => {
  const doctor = await runAndReadOutput(["help", "doctor"]);
  expect(doctor[0]).toBe("limelight doctor [--accept] [--remove-copies] [--json]");
  expect(await runAndReadOutput(["doctor", "--help"])).toEqual(doctor);
  expect(doctor).toContain("  --json prints the result for scripts");
  const settings = await runAndReadOutput(["help", "settings"]);
  expect(settings).toContain("More than one machine");
  for (const { env } of Object.values(SETTINGS))
    expect(settings).toContainEqual(expect.stringContaining(`, ${env} `));
});

/** Flags that only the program itself passes. */
const INTERNAL_FLAGS = new Set(["--by-site", "--renew"]);

test("help on every listed command shows each flag in the usage and on a line of its own", async () => {
  const listed = (await runAndReadOutput(["help"])).map(
    (line) => /^ {2}([a-z]+) {2}/.exec(line)?.[1],
  );
  for (const name of listed.filter((each) => each !== undefined)) {
    const [usage = "", ...lines] = await runAndReadOutput(["help", name]);
    const module = `${import.meta.dir}/../../../src/server/cli/${name}.ts`;
    const flags = (await Bun.file(module).exists())
      ? (await import(module))[`${name}Command`].flags
      : {};
    for (const flag of Object.keys(flags ?? {}).filter((each) => !INTERNAL_FLAGS.has(each)))
      expect([
        flag,
        usage.includes(flag),
        lines.some((line) => line.startsWith(`  ${flag} `)),
      ]).toEqual([flag, true, true]);
  }
});

/** The lines that a command prints. */
async function runAndReadOutput(argv: readonly string[]): Promise<string[]> {
  const logged = spyOn(console, "log").mockImplementation(() => {});
  try {
    expect(await runCommand(argv)).toBe(0);
    return logged.mock.calls.flat().join("\n").split("\n");
  } finally {
    logged.mockRestore();
  }
}
