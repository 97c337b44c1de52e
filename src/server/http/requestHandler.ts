/** The checks before every request is routed, and the headers and log lines of every response. */
import { MAX_HOST_LENGTH, parseUrl } from "../../schema/core/boundedUnicode.ts";
import type { AnyElysia } from "elysia";
import { foreignOrigin, malformed, notFound, wrongHost, wrongType } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { stripRootDot } from "../shared/settingTypes.ts";
import { HOUR } from "../shared/time.ts";
import {
  isAbsoluteUrl,
  type RequestTarget,
  parseTarget,
  ANY_HOST_PATHS,
  setTarget,
} from "./requestTarget.ts";
import { readContentLength, MAX_UPLOAD_BODY_BYTES } from "./body.ts";
import { addEtagAndEncoding } from "./conditionalRequests.ts";
import { createErrorResponse, type GetTranslator } from "./errorResponses.ts";
import { createConcurrencyLimit, type PageViews } from "./rateLimits.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { translateRefusalMessage, getWords } from "../../web/words/allWords.ts";
import type { RequestCounts } from "./metrics.ts";
import { createRefusalPage } from "./refusalPage.ts";
import type { ReadyResponses } from "./readyResponses.ts";
import { type ReportError, type RequestIds, formatRequestLine } from "./requestLog.ts";
import { type HttpsSettings, createHeaderSetter } from "./securityHeaders.ts";
import type { RefusedBodyLimit } from "./refusedBodyLimit.ts";
import type { InsecureLoginCheck } from "./insecureConnections.ts";
import type { IdentifyVisitor } from "./visitor.ts";

export interface RequestHandlerOptions extends HttpsSettings {
  /** Whether a request carries a session cookie, valid or not. */
  readonly hasSessionCookie: (request: Request) => boolean;
  /** Prepared responses, which are sent without calling the application. */
  readonly readyResponses: ReadyResponses;
  readonly identifyVisitor: IdentifyVisitor;
  readonly assertSecureConnection: InsecureLoginCheck;
  readonly isRateLimited: boolean;
  readonly refusedBodyLimit: RefusedBodyLimit;
  readonly pageViews: PageViews;
  readonly onPageSent?: ((request: Request) => void) | undefined;
  readonly requestCounts: RequestCounts;
  readonly getTranslator: GetTranslator;
  readonly getLanguage: () => string;
  readonly requestIds: RequestIds;
  readonly logRequest: Log;
  readonly logLine: Log;
  readonly reportError: ReportError;
}

type HandleRequest = (request: Request) => Response | Promise<Response>;

const doNothing = () => {};

/** Wraps the application's request handler with the checks, the headers and the log of this file. */
export function installRequestHandler(app: AnyElysia, options: RequestHandlerOptions): void {
  let pipeline: RequestPipeline | undefined;
  // Elysia calls this function for every request, always with the one handler it compiled.
  const wrap = (handle: HandleRequest): HandleRequest => {
    if (pipeline?.handle !== handle) pipeline = new RequestPipeline(options, handle);
    return pipeline.handleRequest;
  };
  // Elysia's type expects a handler that returns functions, so a cast is needed.
  app.wrap(wrap as unknown as Parameters<AnyElysia["wrap"]>[0]);
}

class RequestPipeline {
  readonly #options: RequestHandlerOptions;
  readonly #checkRequest: ReturnType<typeof createRequestChecks>;
  readonly #addSecurityHeaders: ReturnType<typeof createHeaderSetter>;
  readonly #startWrite: (address: string) => () => void;

  constructor(
    options: RequestHandlerOptions,
    readonly handle: HandleRequest,
  ) {
    this.#options = options;
    this.#checkRequest = createRequestChecks(options);
    this.#addSecurityHeaders = createHeaderSetter(options);
    this.#startWrite = options.isRateLimited ? createConcurrencyLimit() : () => doNothing;
  }

  readonly handleRequest: HandleRequest = (request) => {
    const startedAt = performance.now();
    // Reading `request.url` parses the host, which can take 50 ms for a very long host. `#respond` refuses such a host.
    if ((request.headers.get("host") ?? "").length > MAX_HOST_LENGTH)
      return this.#respond(request, { target: "/", path: "/" });
    const target = parseTarget(request.url);
    const response = this.#options.readyResponses.findResponse(request, target);
    if (!response) return this.#respond(request, target);
    this.#finishRequest(request, target.path, response.status, startedAt);
    return response;
  };

  async #respond(request: Request, target: RequestTarget): Promise<Response> {
    const startedAt = performance.now();
    const { path } = target;
    const { refusedBodyLimit, requestIds } = this.#options;
    const response = await this.#respondOrRefuse(request, target);
    if (!isSafeMethod(request.method)) refusedBodyLimit.countResponse(request, response.status);
    this.#addSecurityHeaders(response);
    markPrivate(response, path, this.#options.hasSessionCookie(request));
    // The body is larger than any route accepts, so the connection is closed instead of waiting for the rest.
    if (readContentLength(request) > MAX_UPLOAD_BODY_BYTES)
      response.headers.set("connection", "close");
    if (response.status >= 400) response.headers.set("x-request-id", requestIds.getId(request));
    this.#finishRequest(request, path, response.status, startedAt);
    return response;
  }

  async #respondOrRefuse(request: Request, target: RequestTarget): Promise<Response> {
    const { identifyVisitor, refusedBodyLimit, requestIds, reportError } = this.#options;
    const { getTranslator, siteUrl, getLanguage } = this.#options;
    let endWrite = doNothing;
    try {
      this.#checkRequest(request, target);
      if (!isSafeMethod(request.method)) {
        endWrite = this.#startWrite(identifyVisitor.getAddress(request));
        await refusedBodyLimit.assertSenderAllowed(request);
      }
      return await addEtagAndEncoding(request, await this.handle(setTarget(request, target)));
    } catch (error) {
      const [id, translate] = [requestIds.getId(request), getTranslator(request)];
      const refusal = createErrorResponse(error, "UNKNOWN", { id, reportError, translate });
      const isPage = refusal.status === 421 && isPageRequest(request, target.path);
      return isPage ? createWrongHostPage(siteUrl, getLanguage()) : refusal;
    } finally {
      endWrite();
    }
  }

  #finishRequest(request: Request, path: string, status: number, startedAt: number): void {
    const { pageViews, identifyVisitor, onPageSent, requestCounts, requestIds } = this.#options;
    if (isPageSent(request.method, path, status)) {
      pageViews.recordPageView(identifyVisitor.getAddress(request));
      onPageSent?.(request);
    }
    const ms = performance.now() - startedAt;
    requestCounts.countRequest(status, ms);
    const id = requestIds.releaseId(request);
    this.#options.logRequest(formatRequestLine({ id, method: request.method, path, status, ms }));
  }
}

/** Whether a page was sent. Files have a dot in their path; the API, the fonts and the metrics aren't pages either. */
const isPageSent = (method: string, path: string, status: number) =>
  method === "GET" && status < 400 && !/^\/(?:api|fonts)\/|^\/metrics$|\./.test(path);

const NO_HOST_MESSAGE = "The request has no valid Host header. Use the site's address.";

function createRequestChecks({
  siteUrl,
  assertSecureConnection,
  logLine,
}: RequestHandlerOptions): (request: Request, target: RequestTarget) => void {
  const checkHost = createHostCheck(siteUrl, logLine);
  const checkOrigin = createOriginCheck(siteUrl);
  return (request, { target, path }) => {
    // Two Host headers, which Bun joins with a comma, are refused: a proxy in front may have used the other one.
    const host = request.headers.get("host") ?? "";
    if (host.includes(",") || host.length > MAX_HOST_LENGTH) throw malformed(NO_HOST_MESSAGE);
    checkHost(request, path);
    if (!isAbsoluteUrl(request.url) && !ANY_HOST_PATHS.has(target))
      throw malformed(NO_HOST_MESSAGE);
    if (hasParameters(path) && !isDecodable(path)) throw notFound();
    if (!ANY_ORIGIN_PATHS.has(path)) checkOrigin(request);
    assertSecureConnection(request, path);
    if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
      throw wrongType("Compressed requests aren't accepted. Send the request uncompressed.");
  };
}

/**
 * Routes that are authorized by a signed token alone, from any origin. Mail programs post to /unsubscribe from their
 * own pages (RFC 8058). The pages of /say and /times send no origin, since their URLs must stay secret.
 */
const ANY_ORIGIN_PATHS = new Set(["/unsubscribe", "/say", "/times"]);

/** Whether a path is a route with parameters. All other paths are pages; an unknown page gets the not-found card. */
const hasParameters = (path: string) => path.startsWith("/api/") || path.startsWith("/uploads/");

/** Whether a path decodes to valid UTF-8. For a parameter such as `%ff`, Elysia would pass `null` to the route. */
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
 * Creates a check that throws a 421 for a host other than the public address's. Without a public address, any host is
 * served, but never repeated in a response.
 */
function createHostCheck(
  siteUrl: string | undefined,
  log: Log,
): (request: Request, path: string) => void {
  if (siteUrl === undefined) return () => {};
  const site = new URL(siteUrl);
  const acceptedHosts = new Set([
    site.host,
    `${site.hostname}:${site.port || getDefaultPort(site)}`,
  ]);
  let lastLoggedAt = Number.NEGATIVE_INFINITY;
  return (request, path) => {
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    // An empty port means the default port (RFC 3986, section 6.2.3).
    const normalizedHost = stripRootDot(host.replace(/:$/, ""));
    if (acceptedHosts.has(normalizedHost) || ANY_HOST_PATHS.has(path)) return;
    // Strangers choose the host, so the log line doesn't contain it and is written at most once an hour.
    if (performance.now() - lastLoggedAt > HOST_LOG_INTERVAL_MS) {
      lastLoggedAt = performance.now();
      log(HOST_REFUSED_MESSAGE);
    }
    throw wrongHost();
  };
}

const HOST_LOG_INTERVAL_MS = HOUR;

const HOST_REFUSED_MESSAGE =
  "a request for a host other than SITE_URL's was refused (421). If that host belongs to the site, correct SITE_URL, or have the proxy in front pass on the Host header";

const getDefaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");

/**
 * Creates a check against requests forged by other sites (CSRF), which throws a 403. For unsafe methods, Sec-Fetch-Site
 * must be same-origin or none. If that header is missing, Origin must be the site's own or absent, as with command-line
 * clients.
 */
function createOriginCheck(siteUrl: string | undefined): (request: Request) => void {
  return ({ method, headers }) => {
    if (isSafeMethod(method)) return;
    const fetchSite = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    const isTrustedOrigin = fetchSite
      ? fetchSite === "same-origin" || fetchSite === "none"
      : origin === null || isSameOrigin(origin, siteUrl, headers.get("host"));
    if (!isTrustedOrigin) throw foreignOrigin();
  };
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

const isSafeMethod = (method: string) => SAFE_METHODS.has(method);

function isSameOrigin(origin: string, siteUrl: string | undefined, host: string | null): boolean {
  const originUrl = parseUrl(stripRootDot(origin));
  if (siteUrl !== undefined) return originUrl?.origin === siteUrl;
  return host !== null && originUrl?.host === stripRootDot(host.toLowerCase());
}

/**
 * Sets Cache-Control of API responses, which depend on the session: shared caches must never store them, and browsers
 * must not store them if the request has a session cookie.
 */
function markPrivate({ headers }: Response, path: string, hasSessionCookie: boolean): void {
  if (!path.startsWith("/api/") || headers.has("cache-control")) return;
  headers.set("cache-control", hasSessionCookie ? "no-store" : "private, no-cache");
}

/** Whether a request is for a page or a file, not a call by a program. */
const isPageRequest = ({ method, headers }: Request, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  !path.startsWith("/api/") &&
  !(headers.get("accept") ?? "").includes("json");

/** Returns a page that links to the public address. The requested host is never repeated. */
function createWrongHostPage(siteUrl: string | undefined, language: string): Response {
  const translation = getWords(language);
  const address = Bun.escapeHTML(siteUrl ?? "");
  return createRefusalPage(translation, {
    status: 421,
    title: translateRefusalMessage(translation, VISITOR_REFUSALS.wrongHost),
    paragraphs: [`<a href="${address}">${address}</a>`],
  });
}
