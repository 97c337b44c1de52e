/** A client of a running site that keeps its cookies. */

/** A response with its body. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body's JSON; undefined if it isn't JSON. */
  readonly body: any;
  readonly text: string;
}

/** Returns a refusal as text: "404 This form no longer exists." */
export const formatRefusal = ({ status, body }: Pick<TestResponse, "status" | "body">) =>
  `${status} ${body.error}`;

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS";

/** A client that the server sees like a browser tab. */
export class Client {
  #cookies = new Map<string, string>();

  constructor(readonly url: string) {}

  /** Sends `body` as JSON; text and bytes are sent as they are. */
  async call(
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const isRaw =
      typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
    const response = await fetch(this.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body !== undefined && !isRaw && { "content-type": "application/json" }),
        ...(this.#cookies.size > 0 && { cookie: this.cookies() }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    this.#storeCookies(response.headers.getSetCookie());
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  }

  get = (path: string, headers?: Record<string, string>) =>
    this.call("GET", path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.call("POST", path, body, headers);
  put = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.call("PUT", path, body, headers);
  delete = (path: string, headers?: Record<string, string>) =>
    this.call("DELETE", path, undefined, headers);

  /** Returns the Cookie header that would be sent. */
  cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Creates another tab with the same cookies. */
  copy(): Client {
    const copy = new Client(this.url);
    copy.#cookies = new Map(this.#cookies);
    return copy;
  }

  #storeCookies(setCookies: string[]): void {
    for (const line of setCookies) {
      const { name, value, maxAge } = Bun.Cookie.parse(line);
      if (maxAge === 0) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
