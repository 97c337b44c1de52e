/** The files of docs/deploy for servers. */
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readConfig } from "../src/server/shared/config.ts";
import { findFreePort } from "./support/ports.ts";
import { waitForValue } from "./support/waits.ts";

const ANALYZE = Bun.which("systemd-analyze");
const UNIT = "docs/deploy/limelight.service";

test.skipIf(!ANALYZE)(
  "systemd rates the exposure of the site's unit at 1.3 of 10 at most (skipped without systemd)",
  async () => {
    const security = ["security", "--offline=true", "--threshold=13", "--no-pager", UNIT];
    const { exitCode, stdout } = Bun.spawnSync([ANALYZE!, ...security]);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining("exposure level")]);
  },
);

test("the systemd unit and the container file don't run the site as root", async () => {
  const unit = await Bun.file(UNIT).text();
  expect(unit).toContain("\nUser=limelight\n");
  expect(unit).toContain("\nRestart=always\n");
  const container = await Bun.file("docs/deploy/Containerfile").text();
  expect(container).toContain("\nUSER limelight\n");
  expect(container).toContain("\nSTOPSIGNAL SIGTERM\n");
});

test("Git ignores the data of a site started in a clone, and a program beside the container file", async () => {
  const ignored = (await Bun.file(".gitignore").text()).split("\n");
  const { config } = readConfig([], {});
  const folders = Object.entries(config).flatMap(([name, value]) =>
    name.endsWith("Dir") && name !== "siteDir" ? [`/${relative(".", String(value))}/`] : [],
  );
  expect(folders).toContain("/data/");
  expect([...folders, "/docs/deploy/limelight"].filter((each) => !ignored.includes(each))).toEqual(
    [],
  );
});

test("operating.md runs every command for a site with limelightctl", async () => {
  const operating = await Bun.file("docs/operating.md").text();
  const lines = [...operating.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block]) =>
    block!.split("\n").map((line) => line.trim()),
  );
  const named = lines.filter((line) => /(^|[ /])limelight(ctl|\.previous)? [a-z]/.test(line));
  const isByHand = (line: string) => /^(LIMELIGHT=\S+ )?limelightctl /.test(line);
  expect(named.filter(isByHand).length).toBeGreaterThan(5);
  // The other commands need no site: one that makes a new key, and commands of other programs.
  const others = /--new-key|^(systemctl|journalctl|install|useradd|podman) /;
  expect(named.filter((line) => !isByHand(line) && !others.test(line))).toEqual([]);
});

test("limelightctl shows help without a command, and refuses to serve a site outside of the service", async () => {
  const folder = await mkdtemp(join(tmpdir(), "limelight-control-"));
  const stub = join(folder, "limelight");
  await writeFile(stub, '#!/bin/sh\necho "called with: $*"\n', { mode: 0o755 });
  const control = (...args: string[]) => {
    const command = ["sh", "docs/deploy/limelightctl", ...args];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
      env: { PATH: process.env["PATH"], LIMELIGHT: stub },
    });
    return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
  };
  for (const args of [[], ["@anna"], ["@all"]]) {
    const { code, out } = control(...args);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^ limelightctl doctor .*called with: help$/ms),
    ]);
  }
  expect(control("help", "doctor").out).toBe("called with: help doctor\n");
  for (const args of [["serve"], ["--port", "80"]])
    expect(control(...args)).toEqual({
      code: 2,
      out: "",
      error: "The service serves the site: systemctl start limelight\n",
    });
  expect(control("@anna", "serve").error).toEndWith("systemctl start limelight@anna\n");
  await rm(folder, { recursive: true });
});

test("the compose file uses existing settings, and the load balancer lists each of the file's instances", async () => {
  const text = await Bun.file("docs/deploy/compose.yaml").text();
  const filled = text.replace(/\$\{\w+:\?[^}]*\}/g, "given").replace(/\$\{\w+:-([^}]*)\}/g, "$1");
  const compose = Bun.YAML.parse(filled) as {
    services: Record<string, { image?: string; environment?: Record<string, string> }>;
  };
  const instances = Object.entries(compose.services).filter(
    ([, { image }]) => image === "limelight",
  );
  expect(instances.map(([name]) => name)).toEqual(["one", "two"]);
  const balancer = await Bun.file("docs/deploy/haproxy.cfg").text();
  for (const [name, { environment }] of instances) {
    const config = readConfig([], environment!).config;
    expect([config.databaseUrl?.location, config.uploadsS3?.bucket]).toEqual([
      "database/limelight",
      "pictures",
    ]);
    expect(balancer).toContain(`\n  server ${name} ${name}:3000 cookie ${name}\n`);
    expect(balancer).toContain(`\n  server ${name}-pages ${name}:3000 backup no-check\n`);
  }
});

test("the compose file starts the object store with its key, and creates the bucket only once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "limelight-compose-"));
  // The stand-in prints how it was started, and stores buckets as lines of a file.
  const weed = `#!/bin/sh
    [ "$1" = shell ] || { echo "$@"; exit; }
    read -r command; case $command in
      s3.bucket.list) cat ${folder}/buckets ;;
      *) echo "$command" | sed -n 's/^s3.bucket.create -name //p' >> ${folder}/buckets ;;
    esac`;
  await Promise.all([
    writeFile(join(folder, "weed"), weed, { mode: 0o755 }),
    writeFile(join(folder, "buckets"), "others\n"),
  ]);
  const compose = Bun.YAML.parse(await Bun.file("docs/deploy/compose.yaml").text()) as {
    services: Record<"store" | "bucket", { command: string[] }>;
  };
  const run = (service: "store" | "bucket") => {
    const script = compose.services[service].command[0]!.replaceAll("$$", "$");
    const env = { PATH: `${folder}:${process.env["PATH"]}`, S3_SECRET_ACCESS_KEY: "secret9" };
    const command = ["/bin/sh", "-c", script.replaceAll("/tmp/s3.json", join(folder, "s3.json"))];
    const { exitCode, stdout } = Bun.spawnSync(command, { env });
    expect(exitCode).toBe(0);
    return stdout.toString();
  };
  expect(run("store")).toStartWith("server -dir=/data -ip=store");
  const { identities } = await Bun.file(join(folder, "s3.json")).json();
  expect(identities[0].credentials).toEqual([{ accessKey: "limelight", secretKey: "secret9" }]);
  for (let start = 0; start < 2; start++) run("bucket");
  expect(await Bun.file(join(folder, "buckets")).text()).toBe("others\npictures\n");
  await rm(folder, { recursive: true });
});

test.skipIf(!Bun.which("haproxy"))(
  "HAProxy accepts the load balancer's configuration (skipped without haproxy)",
  async () => {
    const { exitCode, stderr } = Bun.spawnSync(["haproxy", "-c", "-f", "docs/deploy/haproxy.cfg"]);
    expect([exitCode, stderr.toString()]).toEqual([0, expect.not.stringContaining("[ALERT]")]);
  },
);

test.skipIf(!Bun.which("haproxy"))(
  "the load balancer keeps a logged-in browser on one instance, and gives visitors no cookie (skipped without haproxy)",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "limelight-balancer-"));
    let status = 200;
    const refused: Record<string, number> = { one: 0, two: 0 };
    const fetchFrom = (name: string) => (request: Request) => {
      const isCheck = request.url.endsWith("/api/health");
      if (isCheck && status !== 200) refused[name]! += 1;
      return Response.json({ name }, isCheck ? { status } : {});
    };
    const instances = ["one", "two"].map((name) => Bun.serve({ port: 0, fetch: fetchFrom(name) }));
    const port = findFreePort();
    const template = await Bun.file("docs/deploy/haproxy.cfg").text();
    const config = ["one", "two"].reduce(
      (text, name, at) => text.replaceAll(`${name}:3000`, `127.0.0.1:${instances[at]!.port}`),
      template
        .replace("bind :80", `bind 127.0.0.1:${port}`)
        // With long timeouts, both instances count as healthy however long this process stalls.
        .replace("timeout connect 3s", "timeout connect 60s\n  timeout check 60s"),
    );
    await writeFile(join(folder, "haproxy.cfg"), config);
    const balancer = Bun.spawn(["haproxy", "-db", "-f", join(folder, "haproxy.cfg")], {
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      const get = (path: string, cookie = "") =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
      await waitForValue(
        () =>
          get("/").then(
            ({ ok }) => ok,
            () => false,
          ),
        true,
      );
      for (const path of ["/", "/coaching", "/api/hero", "/api/form-submissions"])
        expect([path, (await get(path)).headers.get("set-cookie")]).toEqual([path, null]);
      const first = await get("/api/auth/me");
      const cookie = first.headers.get("set-cookie")!.split(";")[0]!;
      const { name } = await first.json();
      expect(cookie).toBe(`instance=${name}`);
      for (let at = 0; at < 6; at++)
        expect((await (await get("/api/backups", cookie)).json()).name).toBe(name);
      // Without their database, neither instance is healthy, but both still serve pages.
      status = 503;
      await waitForValue(() => Object.values(refused).every((count) => count > 2), true);
      for (let at = 0; at < 6; at++) expect((await get("/")).status).toBe(200);
    } finally {
      balancer.kill();
      await balancer.exited;
      for (const each of instances) await each.stop(true);
      await rm(folder, { recursive: true });
    }
  },
);
