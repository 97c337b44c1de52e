/** Debian's Firefox and WebKit, driven by WebDriver BiDi and WebDriver. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One window of a browser. */
export interface Driver {
  readonly name: string;
  /** Goes to an address and waits until it has loaded. */
  navigate(url: string): Promise<void>;
  /** Runs the body of an async function in the page; returns what it returns. */
  runInPage<T>(body: string): Promise<T>;
  /** Sets the size of the page, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** The page as a PNG. */
  takeScreenshot(): Promise<Uint8Array>;
  /** Complaints of the page's scripts so far, if the browser reports them. */
  getErrors(): readonly string[];
  close(): Promise<void>;
}

/** `firefox` (package firefox-esr) or `webkit` (packages webkit2gtk-driver and xvfb). */
export function openBrowser(name: string): Promise<Driver> {
  if (name === "firefox") return openFirefox();
  if (name === "webkit") return openWebKit();
  throw new Error(`Unknown browser "${name}". Use firefox or webkit.`);
}

async function openFirefox(): Promise<Driver> {
  const profile = await mkdtemp(join(tmpdir(), "limelight-firefox-"));
  await Bun.write(join(profile, "user.js"), 'user_pref("ui.prefersReducedMotion", 1);\n');
  const child = Bun.spawn(
    ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"],
    { stdout: "ignore", stderr: "pipe", env: { ...process.env, HOME: profile } },
  );
  const address = await readUntilMatch(child.stderr, /WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((done, fail) => {
    socket.addEventListener("open", done, { once: true });
    socket.addEventListener("error", fail, { once: true });
  });
  const pending = new Map<number, (reply: any) => void>();
  const errors: string[] = [];
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data));
    pending.get(reply.id)?.(reply);
    if (reply.method === "log.entryAdded" && reply.params.level === "error")
      errors.push(reply.params.text);
  });
  const call = async (method: string, params: object = {}): Promise<any> => {
    const id = (last += 1);
    const reply = new Promise<any>((done) => pending.set(id, done));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, result, message } = await reply;
    if (type === "error") throw new Error(`${method}: ${message}`);
    return result;
  };
  await call("session.new", { capabilities: {} });
  await call("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await call("browsingContext.getTree");
  const { context } = contexts[0];
  return {
    name: "firefox",
    navigate: (url) => call("browsingContext.navigate", { context, url, wait: "complete" }),
    async runInPage(body) {
      const expression = `(async () => { const answer = await (async () => { ${body} })(); return JSON.stringify(answer ?? null); })()`;
      const { result, exceptionDetails } = await call("script.evaluate", {
        expression,
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
    resize: (width, height) =>
      call("browsingContext.setViewport", { context, viewport: { width, height } }),
    takeScreenshot: async () =>
      Buffer.from((await call("browsingContext.captureScreenshot", { context })).data, "base64"),
    getErrors: () => errors,
    async close() {
      socket.close();
      child.kill();
      await child.exited;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function openWebKit(): Promise<Driver> {
  const display = `:${90 + (process.pid % 9)}`;
  const screen = Bun.spawn(["Xvfb", display, "-screen", "0", "2600x1600x24"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const port = 20_000 + (process.pid % 20_000);
  const child = Bun.spawn(["WebKitWebDriver", `--port=${port}`], {
    stdout: "ignore",
    stderr: "ignore",
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
  });
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
    });
    const { value } = (await response.json()) as any;
    if (!response.ok) throw new Error(`${path}: ${value?.error} ${value?.message}`);
    return value;
  };
  await retryUntilDone(() => call("GET", "/status"));
  const { sessionId } = await call("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        "webkitgtk:browserOptions": { binary: await findMiniBrowser(), args: ["--automation"] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  const run = async (body: string) => {
    const script = `const done = arguments[0]; (async () => { ${body} })().then((answer) => done(JSON.stringify({ answer: answer ?? null })), (error) => done(JSON.stringify({ error: String(error) })));`;
    const { answer: reply, error } = JSON.parse(
      await call("POST", `${session}/execute/async`, { script, args: [] }),
    );
    if (error) throw new Error(error);
    return reply;
  };
  return {
    name: "webkit",
    navigate: (url) => call("POST", `${session}/url`, { url }),
    runInPage: run,
    async resize(width, height) {
      // The window has borders, so the missing size is added.
      for (let round = 0; round < 3; round += 1) {
        const rect = await call("GET", `${session}/window/rect`);
        const inner = await run("return [innerWidth, innerHeight]");
        await call("POST", `${session}/window/rect`, {
          width: rect.width + width - inner[0],
          height: rect.height + height - inner[1],
        });
      }
    },
    takeScreenshot: async () => Buffer.from(await call("GET", `${session}/screenshot`), "base64"),
    getErrors: () => [],
    async close() {
      await call("DELETE", session).catch(() => undefined);
      child.kill();
      screen.kill();
      await Promise.all([child.exited, screen.exited]);
    },
  };
}

async function findMiniBrowser(): Promise<string> {
  const glob = new Bun.Glob("usr/lib*/**/webkit2gtk-4.*/MiniBrowser");
  for await (const path of glob.scan({ cwd: "/", absolute: true })) return path;
  throw new Error("There is no MiniBrowser. Install webkit2gtk-driver and its libwebkit2gtk.");
}

async function readUntilMatch(
  stream: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<string> {
  let output = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    output += decoder.decode(bytes, { stream: true });
    const match = pattern.exec(output)?.[1];
    if (match) return match;
  }
  throw new Error(`The browser ended: ${output.slice(-400)}`);
}

async function retryUntilDone(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 100; ; tries -= 1)
    try {
      await act();
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await Bun.sleep(100);
    }
}
