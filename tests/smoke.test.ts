/** Uses the built executable as an owner does, from the first start on. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createSiteFolder,
  removeSiteFolder,
  runProgram,
  serveProgram,
  type RunningProgram,
  type SiteFolder,
} from "./support/program.ts";
import { OWNER } from "./support/site.ts";

const PICTURE = Bun.file(join(import.meta.dir, "support/pictures/full-house.jpg"));

let site: SiteFolder;
let serving: RunningProgram;
let cookie = "";

beforeAll(async () => {
  site = await createSiteFolder();
  serving = await serveProgram(site);
});
afterAll(async () => {
  await serving.stop("SIGKILL");
  await removeSiteFolder(site);
});

const postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(serving.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, ...headers },
    body: JSON.stringify(body),
  });
const readSetupToken = () => /\/admin\/setup#token=([\w.-]+)/.exec(serving.log())?.[1] ?? "";

async function logIn(password: string = OWNER.password): Promise<Response> {
  const response = await postJson("/api/auth/login", { username: OWNER.username, password });
  cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return response;
}

describe("a first start without an owner", () => {
  test("prints a one-time link to a setup page in the log, and nobody without the link can use the page", async () => {
    // The token consists of the expiry and a signature of 43 characters.
    expect(readSetupToken()).toMatch(/^\w+\.[\w-]{43}$/);
    const wrong = await postJson("/api/setup", { ...OWNER, siteName: "Vera Lane", token: "guess" });
    expect(wrong.status).toBe(404);
    expect((await fetch(`${serving.url}/admin/setup`)).status).toBe(200);
  });

  test("creates the owner by the link, which works only once", async () => {
    const token = readSetupToken();
    const made = await postJson("/api/setup", { ...OWNER, siteName: "Vera Lane", token });
    expect(made.status).toBe(201);
    expect(await made.json()).toEqual({
      username: OWNER.username,
      email: OWNER.email,
      role: "admin",
    });
    cookie = made.headers.getSetCookie()[0]!.split(";")[0]!;
    expect((await fetch(`${serving.url}/api/auth/me`, { headers: { cookie } })).status).toBe(200);
    expect((await postJson("/api/setup", { ...OWNER, siteName: "X", token })).status).toBe(404);
    expect(await (await fetch(serving.url)).text()).toContain("Vera Lane");
  });
});

describe("the first edit", () => {
  let picture = "";

  test("uploads a photograph, which is served in a smaller width", async () => {
    const form = new FormData();
    form.set("file", new File([await PICTURE.bytes()], "full house.jpg"));
    const response = await fetch(`${serving.url}/api/upload`, {
      method: "POST",
      headers: { cookie },
      body: form,
    });
    expect(response.status).toBe(201);
    const upload = (await response.json()) as { url: string; widths: number[] };
    picture = upload.url;
    const variant = picture.replace(".jpg", `-${upload.widths[0]}.webp`);
    const served = await fetch(serving.url + variant);
    expect(served.headers.get("content-type")).toBe("image/webp");
    expect(served.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  });

  test("shows a visitor the changed page as finished HTML, before any script runs", async () => {
    const changed = await postJson("/api/hero", {
      mainTitle: "Vera on Stage",
      backgroundImage: picture,
    });
    expect(changed.status).toBe(200);
    const html = await (await fetch(serving.url)).text();
    const text = html.replace(/<script[\s\S]*?<\/script>/g, "");
    expect(text).toContain("Vera on Stage");
    expect(text).toContain(picture.replace(/\.jpg$/, ""));
  });

  test("is still there after a kill and a restart, like the picture and the session", async () => {
    await serving.stop("SIGKILL");
    serving = await serveProgram(site);
    expect(await (await fetch(serving.url)).text()).toContain("Vera on Stage");
    expect((await fetch(serving.url + picture)).status).toBe(200);
    expect((await fetch(`${serving.url}/api/auth/me`, { headers: { cookie } })).status).toBe(200);
    expect(serving.log().split("/admin/setup#token=")).toHaveLength(2);
  });
});

describe("the command line", () => {
  test("exits with a message if another process uses the same folder", async () => {
    const second = await runProgram(site, ["serve"], "", { PORT: "0" });
    expect(second.code).toBe(2);
    expect(second.error).toContain("another");
  });

  test("prints its version, and refuses an unknown command with a message", async () => {
    expect((await runProgram(site, ["version"])).out).toMatch(/^limelight \d+\.\d+\.\d+\n$/);
    const unknown = await runProgram(site, ["dance"]);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.error).toContain('Unknown command "dance".');
  });

  test("backs up the running site, restores the stopped site, and refuses a truncated archive", async () => {
    const saved = await runProgram(site, ["backup", "site.tar.gz"]);
    expect(saved).toMatchObject({ code: 0, error: "" });
    await postJson("/api/hero", { mainTitle: "Changed later" });
    const running = await runProgram(site, ["restore", "site.tar.gz"]);
    expect(running.code).toBe(2);
    await serving.stop();
    const whole = await Bun.file(join(site.folder, "site.tar.gz")).bytes();
    await writeFile(join(site.folder, "half.tar.gz"), whole.subarray(0, whole.length / 2));
    const half = await runProgram(site, ["restore", "half.tar.gz"]);
    expect(half.code).toBe(2);
    expect(half.error).toContain("it is truncated or damaged");
    const restored = await runProgram(site, ["restore", "site.tar.gz"]);
    expect(restored).toMatchObject({ code: 0, error: "" });
    serving = await serveProgram(site);
    expect(await (await fetch(serving.url)).text()).toContain("Vera on Stage");
    expect((await readdir(site.dataDir)).some((name) => name.startsWith(".before-restore"))).toBe(
      true,
    );
  });

  test("resets a password, which ends all sessions, and refuses weak passwords", async () => {
    expect((await logIn()).status).toBe(200);
    await serving.stop();
    const reset = await runProgram(
      site,
      ["admin", "reset-password"],
      `${OWNER.username}\nanother velvet nine\n`,
    );
    expect(reset).toMatchObject({ code: 0, error: "" });
    const weak = await runProgram(site, ["admin", "create"], "nora\nnora@example.com\nshort\n");
    expect(weak.code).toBe(2);
    expect(weak.error).toContain("12");
    const typed = "nora\nnora@example.com\nunbelievable\n";
    const common = await runProgram(site, ["admin", "create"], typed);
    expect([common.code, common.error]).toEqual([2, expect.stringContaining("too easy to guess")]);
    const made = await runProgram(
      site,
      ["admin", "create"],
      "nora\nnora@example.com\nnine velvet curtains\n",
    );
    expect(made).toMatchObject({ code: 0, error: "" });
    serving = await serveProgram(site);
    expect((await fetch(`${serving.url}/api/auth/me`, { headers: { cookie } })).status).toBe(401);
    expect((await logIn()).status).toBe(401);
    expect((await logIn("another velvet nine")).status).toBe(200);
  });
});
