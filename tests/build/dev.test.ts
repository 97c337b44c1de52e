/** A contributor's command for development (src/build/dev.ts), in a copy of the source. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createCallers } from "../support/site.ts";
import { findFreePort } from "../support/ports.ts";
import { addSample, toSiteFolder } from "../support/program.ts";

// Allows time for builds while other tests run.
setDefaultTimeout(180_000);

const LOGIN = { username: "dev", password: "a site to try things on" };

const port = findFreePort();
const url = `http://127.0.0.1:${port}`;
let folder: string;
let dev: Bun.Subprocess<"ignore", "pipe", "pipe">;
/** The command's error output. */
let errors: Output;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-dev-"));
  for (const name of [
    "src",
    "docs/deploy",
    "package.json",
    "bun.lock",
    "tsconfig.json",
    "LICENSE",
    "dist/web",
  ])
    await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  // Uses the sample made for all tests, since the command would take longer to make its own.
  await addSample(toSiteFolder(join(folder, "dist/dev")));
  dev = Bun.spawn([process.execPath, "src/build/dev.ts"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  errors = readOutput(dev.stderr);
  await readOutput(dev.stdout).waitForText("log in as");
});
afterAll(async () => {
  dev.kill();
  await dev.exited;
  await rm(folder, { recursive: true, force: true });
});

test("The development command serves a filled site with a known login.", async () => {
  expect(await (await fetch(url)).text()).toContain('id="about"');
  expect((await createCallers(url).visitor().post("/api/auth/login", LOGIN)).status).toBe(200);
});

test("The development command reports a build error, and serves changes once the error is fixed.", async () => {
  const page = await (await fetch(url)).text();
  expect(page).toContain('<script src="/.dev/reload.js" async></script></head>');
  expect(await (await fetch(`${url}/.dev/reload.js`)).text()).toContain("/.dev/changed");
  const changed = fetch(`${url}/.dev/changed`);
  const path = join(folder, "src/web/entry-owner.tsx");
  const before = await Bun.file(path).text();
  await Bun.write(path, `${before}\nconst = 1;\n`);
  await errors.waitForText("entry-owner.tsx");
  await appendFile(join(folder, "src/web/site/parts/page.css"), "\n.made-just-now { order: 7 }\n");
  expect(await fetchStyleSheet()).not.toContain(".made-just-now");
  await Bun.write(path, before);
  expect((await changed).status).toBe(200);
  expect(await fetchStyleSheet()).toContain(".made-just-now{order:7}");
});

interface Output {
  /** Resolves once this text is in the output, and rejects if the output ends without it. */
  waitForText(words: string): Promise<void>;
}

function readOutput(stream: ReadableStream<Uint8Array>): Output {
  const parts = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    async waitForText(words) {
      while (!text.includes(words)) {
        const { done, value } = await parts.read();
        if (done) throw new Error(`It has ended without "${words}": ${text}`);
        text += decoder.decode(value, { stream: true });
      }
    },
  };
}

async function fetchStyleSheet(): Promise<string> {
  const [, sheet] = /href="(\/assets\/site-[^"]+\.css)"/.exec(await (await fetch(url)).text())!;
  return (await fetch(`${url}${sheet}`)).text();
}
