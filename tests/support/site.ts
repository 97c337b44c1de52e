/** A running site as every test and benchmark uses it, whatever started it: its owner, and its clients. */
import { Client } from "./client.ts";

/** The only owner, unless a test says otherwise. */
export const OWNER = {
  username: "Ada",
  email: "Ada@example.com",
  password: "velvet curtain nine",
} as const;

/** Settings that create the owner at the first start. */
export const OWNER_ENV = {
  ADMIN_USERNAME: OWNER.username,
  ADMIN_EMAIL: OWNER.email,
  ADMIN_PASSWORD: OWNER.password,
};

export interface Callers {
  /** Creates a client without a session. */
  visitor(): Client;
  /** Returns the owner's client, always with the same session. Logs in at the first call. */
  owner(): Promise<Client>;
  /** Logs the owner in, in a new session. */
  logInAsOwner(): Promise<Client>;
  /** Makes a JSON call as the owner and returns the body. Rejects with the response if the call is refused. */
  asOwner<T = any>(method: string, path: string, body?: unknown): Promise<T>;
}

export interface RunningSite extends Callers {
  /** Such as http://127.0.0.1:41234, without a slash. */
  readonly url: string;
  readonly dataDir: string;
  readonly uploadsDir: string;
  /** Stops the site and removes its folders. */
  stop(): Promise<void>;
}

/** Creates the clients of the site at `url`. */
export function createCallers(url: string): Callers {
  let session: Promise<Client> | undefined;
  const visitor = () => new Client(url);
  const logInAsOwner = () => logIn(visitor());
  const owner = () => (session ??= logInAsOwner());
  return {
    visitor,
    owner,
    logInAsOwner,
    async asOwner(method, path, body) {
      const response = await (await owner()).call(method as "GET", path, body);
      if (response.status >= 300)
        throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
      return response.body ?? {};
    },
  };
}

/** Makes calls as someone who logs in at the first call. */
export type Caller = Pick<Client, "call" | "get" | "post" | "put" | "delete">;

/** Returns a caller for the owner of a site that may start later. All its calls use one session. */
export const createOwnerCaller = (site: Pick<Callers, "owner">): Caller => ({
  call: async (...args) => (await site.owner()).call(...args),
  get: async (...args) => (await site.owner()).get(...args),
  post: async (...args) => (await site.owner()).post(...args),
  put: async (...args) => (await site.owner()).put(...args),
  delete: async (...args) => (await site.owner()).delete(...args),
});

async function logIn(client: Client): Promise<Client> {
  const { username, password } = OWNER;
  const { status, text } = await client.post("/api/auth/login", { username, password });
  if (status !== 200) throw new Error(`The owner could not log in: ${status} ${text}`);
  return client;
}
