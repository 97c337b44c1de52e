/** The built program, run as an owner would, with folders of its own that go when it stops. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveProgram, siteIn } from "./program.ts";

/** The owner that every started program has. */
export const OWNER = {
  username: "owner",
  email: "owner@example.com",
  password: "a long enough passphrase",
} as const;

/** A running program. */
export interface Executable {
  /** Such as http://127.0.0.1:41234, without a slash. */
  readonly url: string;
  readonly dataDir: string;
  readonly uploadsDir: string;
  /** Everything it has written to its log. */
  log(): string;
  /** Makes a JSON call as the owner and answers the body; rejects with the answer when refused. */
  asOwner<T = any>(method: string, path: string, body?: unknown): Promise<T>;
  /** Ends it and removes its folders. */
  stop(): Promise<void>;
}

/** Starts `dist/limelight serve` on a free port and waits until it is well. `env` adds settings. */
export async function startExecutable(env: Record<string, string> = {}): Promise<Executable> {
  const site = siteIn(await mkdtemp(join(tmpdir(), "limelight-test-")));
  const remove = () => rm(site.folder, { recursive: true, force: true });
  const serving = await serveProgram(site, { ...AS_OWNER, ...env }).catch(
    async (error: unknown) => {
      await remove();
      throw error;
    },
  );
  return {
    url: serving.url,
    dataDir: site.dataDir,
    uploadsDir: site.uploadsDir,
    log: serving.log,
    asOwner: ownerCalls(serving.url),
    stop: () => serving.stop().then(remove),
  };
}

/** Settings that make the first owner. */
export const AS_OWNER = {
  ADMIN_USERNAME: OWNER.username,
  ADMIN_EMAIL: OWNER.email,
  ADMIN_PASSWORD: OWNER.password,
};

/** Makes calls to the program at `url` as its owner. */
export function ownerCalls(url: string): Executable["asOwner"] {
  let cookie: Promise<string> | undefined;
  return async (method, path, body) => {
    cookie ??= logIn(url);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> =
      body === undefined ? {} : { "content-type": "application/json" };
    const headers = { ...type, cookie: await cookie };
    const answer = await fetch(url + path, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
}

async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: OWNER.username, password: OWNER.password }),
  });
  if (!answer.ok) throw new Error(`Could not log in: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}
