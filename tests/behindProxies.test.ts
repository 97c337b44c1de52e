/**
 * Tests the settings for Caddy and nginx exactly as in docs/operating.md, in front of a site. Uses Debian's packages;
 * skipped without them.
 */
import { afterEach, expect, test } from "bun:test";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSelfSignedCertificate } from "./support/certificate.ts";
import { findFreePort } from "./support/ports.ts";
import { OWNER } from "./support/site.ts";
import { type Site, startSite } from "./support/startSite.ts";
import { waitForValue } from "./support/waits.ts";

const HOST = "www.example.com";
/** The second name, which redirects to the first. */
const APEX = "example.com";
const operating = await Bun.file("docs/operating.md").text();
/** Returns the code block that follows this text. */
const readBlockAfter = (words: string) =>
  /```\w*\n([\s\S]+?)```/.exec(operating.slice(operating.indexOf(words)))![1]!;

interface Ports {
  readonly site: number;
  readonly http: number;
  readonly https: number;
}

/** Starts each proxy with the documented settings, on this test's ports. */
const PROXIES: Record<string, (folder: string, ports: Ports) => Promise<string[]>> = {
  async caddy(folder, { site, http, https }) {
    const globalOptions = [
      "admin off",
      "local_certs",
      "skip_install_trust",
      `http_port ${http}`,
      `https_port ${https}`,
      "default_bind 127.0.0.1",
      `storage file_system ${folder}/kept`,
    ];
    const block = readBlockAfter("With Caddy").replace("127.0.0.1:3000", `127.0.0.1:${site}`);
    await Bun.write(join(folder, "Caddyfile"), `{\n${globalOptions.join("\n")}\n}\n${block}`);
    return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  },
  async nginx(folder, { site, http, https }) {
    const pem = (name: string) => join(folder, `${name}.pem`);
    const { key, chain } = await createSelfSignedCertificate(2, HOST);
    await Promise.all([Bun.write(pem("key"), key), Bun.write(pem("chain"), chain)]);
    const block = readBlockAfter("With nginx")
      .replaceAll(/\n\tlisten \[::\].*/g, "")
      .replaceAll("listen 443", `listen 127.0.0.1:${https}`)
      .replace("listen 80", `listen 127.0.0.1:${http}`)
      .replaceAll(/\/etc\/letsencrypt\S+\/(?:full)?(chain|privkey)\.pem/g, (_, name: string) =>
        pem(name === "chain" ? "chain" : "key"),
      )
      .replace("127.0.0.1:3000", `127.0.0.1:${site}`);
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    );
    // As root, nginx would run its workers as another user, who may not write into the folder.
    const userDirective = process.getuid?.() === 0 ? "user root;" : "";
    const main = `daemon off; ${userDirective} pid ${folder}/pid; error_log ${folder}/log; events {}`;
    const served = `http { access_log off; ${folders.join(" ")}\n${block}}`;
    await Bun.write(join(folder, "nginx.conf"), `${main}\n${served}`);
    return ["nginx", "-c", join(folder, "nginx.conf"), "-e", join(folder, "log")];
  },
};

const findProgram = (name: string) =>
  Bun.which(name, { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` }) ?? undefined;
const availableProxies = Object.keys(PROXIES).filter((name) => findProgram(name));
for (const name of Object.keys(PROXIES))
  if (!availableProxies.includes(name))
    console.log(`The test behind ${name} is left out: it isn't installed.`);

let site: Site;
let folder: string;
let proxy: Bun.Subprocess | undefined;
afterEach(async () => {
  proxy?.kill();
  await proxy?.exited;
  await site.stop();
  await rm(folder, { recursive: true });
});

interface ProxyResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Makes a request as a browser at the site's own address would. */
function call(port: number, path: string, payload?: object, more: Record<string, string> = {}) {
  const { host: name = HOST } = more;
  const body = payload instanceof Uint8Array ? payload : payload && JSON.stringify(payload);
  const headers = {
    host: HOST,
    ...(body && { "content-type": "application/json", origin: `https://${HOST}` }),
    ...more,
  };
  const method = body ? "POST" : "GET";
  const to = { host: "127.0.0.1", port, path, method, headers, servername: name };
  return new Promise<ProxyResponse>((resolve, reject) => {
    request({ ...to, rejectUnauthorized: false }, async (answer) => {
      const text = (await answer.toArray()).join("");
      resolve({ status: answer.statusCode!, headers: answer.headers, body: text });
    })
      .on("error", reject)
      .end(body);
  });
}

test.each(availableProxies)(
  "behind the proxy %s the site uses its public URL and HTTPS, and sees the visitors' own IP addresses",
  async (name) => {
    const ports = { site: findFreePort(), http: findFreePort(), https: findFreePort() };
    folder = await mkdtemp(join(tmpdir(), "limelight-proxy-"));
    await mkdir(join(folder, "kept"));
    const env = { SITE_URL: `https://${HOST}`, TRUSTED_PROXIES: "127.0.0.1" };
    site = await startSite({ port: ports.site, env });
    const [program, ...args] = await PROXIES[name]!(folder, ports);
    proxy = Bun.spawn([findProgram(program!)!, ...args], {
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdout: "ignore",
      stderr: "ignore",
    });
    const isUp = () =>
      call(ports.https, "/").then(
        ({ status }) => status,
        () => 0,
      );
    await waitForValue(isUp, 200);

    const page = await call(ports.https, "/");
    expect(page.headers["strict-transport-security"]).toBe("max-age=63072000");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.body).toContain(`<link rel="canonical" href="https://${HOST}/"`);
    for (const host of [HOST, APEX]) {
      const plain = await fetch(`http://127.0.0.1:${ports.http}/coaching?x=1`, {
        headers: { host },
        redirect: "manual",
      });
      const to = `https://${host === APEX && name === "caddy" ? APEX : HOST}/coaching?x=1`;
      expect([plain.status, plain.headers.get("location")]).toEqual([308, to]);
    }
    const apex = await call(ports.https, "/coaching?x=1", undefined, { host: APEX });
    expect([apex.status, apex.headers["location"]]).toEqual([308, `https://${HOST}/coaching?x=1`]);

    const { username, password } = OWNER;
    const login = await call(ports.https, "/api/auth/login", { username, password });
    const cookies = login.headers["set-cookie"] ?? [];
    expect([login.status, cookies[0]]).toEqual([200, expect.stringMatching(/^__Host-.+; Secure/)]);
    const cookie = cookies.map((each) => each.split(";")[0]).join("; ");
    expect((await call(ports.https, "/api/auth/me", undefined, { cookie })).status).toBe(200);
    const foreign = { cookie, origin: "https://evil.example" };
    expect((await call(ports.https, "/api/hero", { subtitle: "x" }, foreign)).status).toBe(403);
    // nginx alone would refuse a body over 1 MB, which a large picture has.
    const upload = new FormData();
    upload.append("file", new File([new Uint8Array(5_000_000)], "a.png"));
    const sent = new Response(upload);
    const type = { cookie, "content-type": sent.headers.get("content-type")! };
    const refused = await call(ports.https, "/api/upload", await sent.bytes(), type);
    expect([refused.status, refused.body]).toEqual([415, expect.stringContaining("Only JPEG")]);

    // Addresses that a visitor invents are ignored, so all of these count as one visitor's attempts.
    site.stopClock();
    const guesses: number[] = [];
    for (let at = 0; at < 7; at++) {
      const guess = { username: "nobody", password: "wrong wrong wrong" };
      const madeUp = { "x-forwarded-for": `198.51.100.${at}` };
      guesses.push((await call(ports.https, "/api/auth/login", guess, madeUp)).status);
    }
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const { body } = await call(ports.https, "/api/auth/sessions", undefined, { cookie });
    expect(JSON.parse(body)[0].address).toBe("127.0.x.x");
  },
);
