/** Runs before every request is routed and before every response is sent. */
import { LONGEST_HOST, parsedUrl } from "../../schema/core/boundedUnicode.ts";
import type { AnyElysia } from "elysia";
import { foreignOrigin, malformed, notFound, wrongHost, wrongType } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { HOUR } from "../shared/time.ts";
import {
  isAbsoluteUrl,
  type RequestTarget,
  targetOf,
  ANY_HOST_PATHS,
  withTarget,
} from "./requestTarget.ts";
import { contentLength, UPLOAD_BODY } from "./body.ts";
import { withEtagAndEncoding } from "./conditional.ts";
import { responseTo, type TranslatorFor } from "./errors.ts";
import { inFlight, type PageViews } from "./limits.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { refusalIn, wordsFor } from "../../web/words/all.ts";
import type { RequestCounts } from "./metrics.ts";
import { refusalPage } from "./refusalPage.ts";
import type { ReadyResponses } from "./readyResponses.ts";
import { type ReportFault, type RequestIds, requestLines } from "./requestLog.ts";
import { type HstsScope, securityHeaders } from "./securityHeaders.ts";
import type { RefusedBodies } from "./refusedBodies.ts";
import type { InsecureLoginCheck } from "./insecureConnections.ts";
import type { IdentifyVisitor } from "./visitor.ts";

export interface FrontDoorOptions {
  readonly siteUrl: string | undefined;
  readonly encrypted: HstsScope;
  /** Whether a session's cookie was sent. */
  readonly hasSession: (request: Request) => boolean;
  /** Tried first; everything else is handled. */
  readonly ready: ReadyResponses;
  readonly visitorOf: IdentifyVisitor;
  /** Throws for requests that must not arrive unencrypted. */
  readonly checkLine: InsecureLoginCheck;
  readonly limited: boolean;
  /** Counts what senders' bodies are refused for. */
  readonly bodies: RefusedBodies;
  /** Notified of every page sent. */
  readonly visits: PageViews;
  /** Called with every request for a page that was sent. */
  readonly onPage?: ((request: Request) => void) | undefined;
  /** Notified of every response. */
  readonly requests: RequestCounts;
  readonly sayTo: TranslatorFor;
  /** The site's. */
  readonly language: () => string;
  readonly ids: RequestIds;
  readonly log: Log;
  /** For the operator. */
  readonly note: Log;
  readonly report: ReportFault;
}

type Handle = (request: Request) => Response | Promise<Response>;

const nothing = () => {};

/**
 * Wraps the application's request handler; refusals here are formatted like all others. The cast is needed because
 * Elysia's type for the wrapped handler returns functions, which none of ours does.
 */
export function installRequestHandler(app: AnyElysia, options: FrontDoorOptions): void {
  app.wrap(frontDoor(options) as unknown as Parameters<AnyElysia["wrap"]>[0]);
}

export function frontDoor(options: FrontDoorOptions): (handle: Handle) => Handle {
  // Elysia calls this for every request, always with the one handler it compiled.
  let handlers: { readonly handle: Handle; readonly enter: Handle } | undefined;
  return (handle) => {
    if (handlers?.handle !== handle) {
      const door = new FrontDoor(options, handle);
      handlers = { handle, enter: (request) => door.enter(request) };
    }
    return handlers.enter;
  };
}

class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #handle: Handle;
  readonly #check: ReturnType<typeof checks>;
  readonly #secure: ReturnType<typeof securityHeaders>;
  readonly #sending: (address: string) => () => void;
  readonly #lineOf = requestLines(Date.now);

  constructor(options: FrontDoorOptions, handle: Handle) {
    this.#options = options;
    this.#handle = handle;
    this.#check = checks(options);
    this.#secure = securityHeaders(options.encrypted);
    this.#sending = options.limited ? inFlight() : () => nothing;
  }

  enter(request: Request): Response | Promise<Response> {
    const started = performance.now();
    // Bun parses such a host when the URL is read, which can take 50 ms.
    if ((request.headers.get("host") ?? "").length > LONGEST_HOST)
      return this.#respond(request, { target: "/", path: "/" });
    const target = targetOf(request.url);
    const response = this.#options.ready.responseTo(request, target);
    if (!response) return this.#respond(request, target);
    this.#close(request, target.path, response.status, started);
    return response;
  }

  async #respond(request: Request, target: RequestTarget): Promise<Response> {
    const started = performance.now();
    const { path } = target;
    const { bodies, ids } = this.#options;
    const response = await this.#responseOrRefusal(request, target);
    if (!isSafe(request.method)) bodies.note(request, response.status);
    this.#secure(response);
    markPrivate(response, path, this.#options.hasSession(request));
    // Larger than any route accepts: close the connection rather than wait for the rest of the body.
    if (contentLength(request) > UPLOAD_BODY) response.headers.set("connection", "close");
    if (response.status >= 400) response.headers.set("x-request-id", ids.of(request));
    this.#close(request, path, response.status, started);
    return response;
  }

  async #responseOrRefusal(request: Request, target: RequestTarget): Promise<Response> {
    const { visitorOf, bodies, ids, report, sayTo, siteUrl, language } = this.#options;
    let done = nothing;
    try {
      this.#check(request, target);
      if (!isSafe(request.method)) {
        done = this.#sending(visitorOf.addressOf(request));
        await bodies.check(request);
      }
      return await withEtagAndEncoding(request, await this.#handle(withTarget(request, target)));
    } catch (error) {
      const details = { id: ids.of(request), report, say: sayTo(request) };
      const refusal = responseTo(error, "UNKNOWN", details);
      const isPage = refusal.status === 421 && isForPerson(request, target.path);
      return isPage ? wrongHostPage(siteUrl, language()) : refusal;
    } finally {
      done();
    }
  }

  #close(request: Request, path: string, status: number, started: number): void {
    const { visits, visitorOf, onPage, requests, log, ids } = this.#options;
    if (isPageSent(request.method, path, status)) {
      visits.note(visitorOf.addressOf(request));
      onPage?.(request);
    }
    const ms = performance.now() - started;
    requests.note(status, ms);
    log(this.#lineOf({ id: ids.last(request), method: request.method, path, status, ms }));
  }
}

/** Files have a dot in their name, pages don't; the fonts' CSS isn't a page either. */
const isPageSent = (method: string, path: string, status: number) =>
  method === "GET" && status < 400 && !/^\/(?:api|fonts)\/|^\/metrics$|\./.test(path);

const NO_HOST = "The request has no valid Host header. Use the site's address.";

function checks({
  siteUrl,
  checkLine,
  note,
}: FrontDoorOptions): (request: Request, target: RequestTarget) => void {
  const checkHost = hostCheck(siteUrl, note);
  const checkOrigin = originCheck(siteUrl);
  return (request, { target, path }) => {
    // Bun joins two Host headers with a comma; a proxy in front may have trusted the other one.
    const host = request.headers.get("host") ?? "";
    if (host.includes(",") || host.length > LONGEST_HOST) throw malformed(NO_HOST);
    checkHost(request, path);
    if (!isAbsoluteUrl(request.url) && !ANY_HOST_PATHS.has(target)) throw malformed(NO_HOST);
    if (hasParameters(path) && !isDecodable(path)) throw notFound();
    if (!BY_TOKEN.has(path)) checkOrigin(request);
    checkLine(request, path);
    if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
      throw wrongType("Compressed requests aren't accepted. Send the request uncompressed.");
  };
}

/**
 * Routes authorized by a signed token alone: mail programs post to the first from their own pages (RFC 8058), and the
 * pages of the others send no origin, since their address must stay secret.
 */
const BY_TOKEN = new Set(["/unsubscribe", "/say", "/times"]);

/** Everything outside these is a page; an unknown page gets the not-found card. */
const hasParameters = (path: string) => path.startsWith("/api/") || path.startsWith("/uploads/");

/** Elysia passes `null` for a parameter that isn't valid UTF-8, such as `%ff`. */
function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * With a public address, only its host is served; without one, any host is, and none is reflected. Monitoring routes
 * accept any Host. Throws a 421.
 */
function hostCheck(
  siteUrl: string | undefined,
  log: Log,
): (request: Request, path: string) => void {
  if (siteUrl === undefined) return () => {};
  const site = new URL(siteUrl);
  const accepted = new Set([site.host, `${site.hostname}:${site.port || defaultPort(site)}`]);
  let lastLoggedAt = Number.NEGATIVE_INFINITY;
  return (request, path) => {
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    // A dot at the end of a name makes it absolute, and is the same host; so is one with an empty port (RFC 3986,
    // sections 3.2.2 and 6.2.3).
    const name = host.replace(/:$/, "").replace(/\.(?=:\d{1,5}$|$)/, "");
    if (accepted.has(name) || ANY_HOST_PATHS.has(path)) return;
    // Strangers choose the host, so the line doesn't repeat it, and there are few of them.
    if (performance.now() - lastLoggedAt > HOST_LOGGED_EVERY_MS) {
      lastLoggedAt = performance.now();
      log(HOST_REFUSED);
    }
    throw wrongHost();
  };
}

const HOST_LOGGED_EVERY_MS = HOUR;

const HOST_REFUSED =
  "a request for a host other than SITE_URL's was refused (421). If it is the site's address, correct SITE_URL, or have the proxy in front pass the Host header on";

const defaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");

/**
 * For unsafe methods, Sec-Fetch-Site must be same-origin or none. Without it, Origin must be the site's own, or
 * absent as with command-line clients. Throws a 403.
 */
function originCheck(siteUrl: string | undefined): (request: Request) => void {
  return ({ method, headers }) => {
    if (isSafe(method)) return;
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    const allowed = site
      ? site === "same-origin" || site === "none"
      : origin === null || isSameOrigin(origin, siteUrl, headers.get("host"));
    if (!allowed) throw foreignOrigin();
  };
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

const isSafe = (method: string) => SAFE_METHODS.has(method);

function isSameOrigin(origin: string, siteUrl: string | undefined, host: string | null): boolean {
  const sender = parsedUrl(origin);
  if (siteUrl !== undefined) return sender?.origin === siteUrl;
  return host !== null && sender?.host === host.toLowerCase();
}

/**
 * API responses depend on the session: shared caches must not store them, nor browsers those with a session.
 */
function markPrivate({ headers }: Response, path: string, hasSession: boolean): void {
  if (!path.startsWith("/api/") || headers.has("cache-control")) return;
  headers.set("cache-control", hasSession ? "no-store" : "private, no-cache");
}

/** A page or a file, and not a call of a program. */
const isForPerson = ({ method, headers }: Request, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  !path.startsWith("/api/") &&
  !(headers.get("accept") ?? "").includes("json");

/** The refusal as a page that leads to the public address; the requested host is never repeated. */
function wrongHostPage(siteUrl: string | undefined, language: string): Response {
  const translation = wordsFor(language);
  const address = Bun.escapeHTML(siteUrl ?? "");
  return refusalPage(translation, {
    status: 421,
    title: refusalIn(translation, VISITOR_REFUSALS.wrongHost),
    paragraphs: [`<a href="${address}">${address}</a>`],
  });
}
