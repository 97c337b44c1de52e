/** Creates calls of the application's own routes, with values for the fields that the routes read. */
import { recordReadNames } from "./recordReadNames.ts";

/** A route as Elysia lists it. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

export interface RequestOptions {
  readonly body?: string | undefined;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  /** The owner's session. */
  readonly cookie?: string | undefined;
}

export const hasBody = ({ method }: Route) => method === "POST" || method === "PUT";

/** Creates a request to a host at which passwords are accepted. */
export function createRequest(route: Route, target: string, options: RequestOptions = {}): Request {
  const { body, type = "application/json", headers, cookie } = options;
  return new Request(`http://localhost${target}`, {
    method: route.method === "ALL" ? "GET" : route.method,
    headers: {
      host: "localhost",
      ...(cookie && { cookie }),
      ...(body !== undefined && { "content-type": type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
}

/** Returns a route's path with `text` as its last parameter. */
export function createTarget({ path }: Route, text = "x"): string {
  return path
    .replace("history/:name", "history/hero")
    .replace(/:\w+\??$/, encodeParameter(text))
    .replaceAll(/:\w+\??/g, "x");
}

export const encodeParameter = (text: string) => encodeURIComponent(text.toWellFormed());

/** Creates a body from `base`, with `value` at each of these paths (`account.host`, `updates.0.id`). */
export function createBody(paths: readonly string[], value: unknown, base: object = {}): string {
  const body = structuredClone(base) as Record<string, any>;
  for (const path of paths) {
    const names = path.split(".");
    let inside: any = body;
    for (const [at, name] of names.slice(0, -1).entries())
      inside = inside[name] ??= /^\d/.test(names[at + 1]!) ? [] : {};
    if (typeof inside === "object") inside[names.at(-1)!] = structuredClone(value);
  }
  return JSON.stringify(body);
}

/** The greatest depth at which fields are searched. */
const MAX_DEPTH = 3;

/** Returns the paths of the fields that `send` reads from a body, including nested objects and lists. */
export async function findReadFields(
  send: (body: string) => Promise<unknown>,
  base: object,
): Promise<string[]> {
  const names = new Set<string>(listLeaves(base));
  let added: string[] = [];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const before = new Set(names);
    for (const value of depth === 0 ? [undefined] : [{}, [{}], "word"]) {
      const body = createBody(depth === 0 ? [] : added, value, base);
      const { fields } = await recordReadNames(() => send(body), body);
      for (const each of fields) if (!/(?:^|\.)(?:length|then)$/.test(each)) names.add(each);
    }
    added = [...names].filter((each) => !before.has(each));
    if (added.length === 0) break;
  }
  return [...names];
}

function listLeaves(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return path === "" ? [] : [path];
  return Object.entries(value).flatMap(([name, each]) =>
    listLeaves(each, path === "" ? name : `${path}.${name}`),
  );
}
