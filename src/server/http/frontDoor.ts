/** Runs before every request is routed and before every response is sent. */
import type { AnyElysia } from "elysia";
import { foreignOrigin, malformed, notFound, wrongHost, wrongType } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { isWhole, type RequestTarget, targetOf, WATCHED, withTarget } from "./requestTarget.ts";
import { announced, UPLOAD_BODY } from "./body.ts";
import { completed } from "./conditional.ts";
import { responseTo, type SayTo } from "./errors.ts";
import { inFlight, type Visits } from "./limits.ts";
import type { RequestCounts } from "./metrics.ts";
import type { ReadyResponses } from "./readyResponses.ts";
import { type ReportFault, type RequestIds, requestLines } from "./requestLog.ts";
import { type Encrypted, securityHeaders } from "./securityHeaders.ts";
import type { PlainLineCheck } from "./plainLine.ts";
import type { WhoCalls } from "./visitor.ts";

interface FrontDoorOptions {
  readonly siteUrl: string | undefined;
  readonly encrypted: Encrypted;
  /** Tried first; everything else is handled. */
  readonly ready: ReadyResponses;
  readonly who: WhoCalls;
  /** Throws for requests that must not arrive unencrypted. */
  readonly checkLine: PlainLineCheck;
  readonly limited: boolean;
  /** Notified of every page sent. */
  readonly visits: Visits;
  /** Called with every request for a page that was sent. */
  readonly onPage?: ((request: Request) => void) | undefined;
  /** Notified of every response. */
  readonly requests: RequestCounts;
  readonly sayTo: SayTo;
  readonly ids: RequestIds;
  readonly log: Log;
  readonly report: ReportFault;
}

type Handle = (request: Request) => Response | Promise<Response>;

const nothing = () => {};

/**
 * Wraps the application's request handler; refusals here look like all others. The cast is needed because Elysia's
 * type for the wrapped handler returns functions, which none does.
 */
export function guardDoor(app: AnyElysia, options: FrontDoorOptions): void {
  app.wrap(frontDoor(options) as unknown as Parameters<AnyElysia["wrap"]>[0]);
}

export function frontDoor(options: FrontDoorOptions): (handle: Handle) => Handle {
  const check = checks(options);
  const secure = securityHeaders(options.encrypted);
  const sending = options.limited ? inFlight() : () => nothing;
  const lineOf = requestLines(Date.now);
  const { ids, ready } = options;

  const close = (request: Request, path: string, status: number, started: number) => {
    if (isPageSent(request.method, path, status)) {
      options.visits.note(options.who.addressOf(request));
      options.onPage?.(request);
    }
    const ms = performance.now() - started;
    options.requests.note(status, ms);
    options.log(lineOf({ id: ids.last(request), method: request.method, path, status, ms }));
  };

  const handled = (handle: Handle) => async (request: Request, target: RequestTarget) => {
    const started = performance.now();
    const { path } = target;
    let done = nothing;
    let response: Response;
    try {
      check(request, target);
      if (!isSafe(request.method)) done = sending(options.who.addressOf(request));
      response = await completed(request, await handle(withTarget(request, target)));
    } catch (error) {
      response = responseTo(error, "UNKNOWN", {
        id: ids.of(request),
        report: options.report,
        say: options.sayTo(request),
      });
    } finally {
      done();
    }
    secure(response);
    keepPrivate(response, path);
    // Larger than any route accepts: close the connection rather than wait for the rest of the body.
    if (announced(request) > UPLOAD_BODY) response.headers.set("connection", "close");
    if (response.status >= 400) response.headers.set("x-request-id", ids.of(request));
    close(request, path, response.status, started);
    return response;
  };

  const entrance = (handle: Handle): Handle => {
    const handleInFull = handled(handle);
    return (request) => {
      const started = performance.now();
      const target = targetOf(request.url);
      const response = ready.responseTo(request, target);
      if (!response) return handleInFull(request, target);
      close(request, target.path, response.status, started);
      return response;
    };
  };
  // Elysia calls this for every request, always with the one handler it compiled.
  let known: { readonly handle: Handle; readonly enter: Handle } | undefined;
  return (handle) => {
    if (known?.handle !== handle) known = { handle, enter: entrance(handle) };
    return known.enter;
  };
}

/** Files have a dot in their name, pages don't; the fonts' CSS isn't a page either. */
const isPageSent = (method: string, path: string, status: number) =>
  method === "GET" && status < 400 && !/^\/(?:api|fonts)\/|^\/metrics$|\./.test(path);

const NO_HOST = "The request doesn't say which host it is for. Use the site's address.";

function checks({
  siteUrl,
  checkLine,
}: FrontDoorOptions): (request: Request, target: RequestTarget) => void {
  const checkHost = hostCheck(siteUrl);
  const checkOrigin = originCheck(siteUrl);
  return (request, { target, path }) => {
    // Bun joins two Host headers with a comma; a proxy in front may have trusted the other one.
    if (request.headers.get("host")?.includes(",")) throw malformed(NO_HOST);
    checkHost(request, path);
    if (!isWhole(request.url) && !WATCHED.has(target)) throw malformed(NO_HOST);
    if (hasParameters(path) && !isDecodable(path)) throw notFound();
    if (!BY_TOKEN.has(path)) checkOrigin(request);
    checkLine(request, path);
    if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
      throw wrongType("Compressed requests aren't accepted. Send it uncompressed.");
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
function hostCheck(siteUrl: string | undefined): (request: Request, path: string) => void {
  if (siteUrl === undefined) return () => {};
  const own = new URL(siteUrl);
  const accepted = new Set([own.host, `${own.hostname}:${own.port || defaultPort(own)}`]);
  return (request, path) => {
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    if (!accepted.has(host) && !WATCHED.has(path)) throw wrongHost();
  };
}

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
      : origin === null || isOwn(origin, siteUrl, headers.get("host"));
    if (!allowed) throw foreignOrigin();
  };
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

const isSafe = (method: string) => SAFE_METHODS.has(method);

function isOwn(origin: string, siteUrl: string | undefined, host: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  if (siteUrl !== undefined) return new URL(origin).origin === siteUrl;
  return host !== null && new URL(origin).host === host.toLowerCase();
}

/** API responses depend on the session, so shared caches must not keep them. */
function keepPrivate({ headers }: Response, path: string): void {
  if (path.startsWith("/api/") && !headers.has("cache-control"))
    headers.set("cache-control", "private, no-cache");
}
