/** What every request passes before it is routed, and every response before it is sent. */
import type { AnyElysia } from "elysia";
import { foreignOrigin, malformed, notFound, wrongHost, wrongType } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { type Asked, askedFor, handOn, HEALTH, isWhole, WATCHED } from "./asked.ts";
import { announced, UPLOAD_BODY } from "./body.ts";
import { completed } from "./conditional.ts";
import { responseTo, type SayTo } from "./errors.ts";
import { inFlight, type Visits } from "./limits.ts";
import type { RequestCounts } from "./metrics.ts";
import type { ReadyAnswers } from "./readyAnswers.ts";
import { type ReportFault, type RequestIds, requestLines } from "./requestLog.ts";
import { type Encrypted, securityHeaders } from "./securityHeaders.ts";
import type { PlainLineCheck } from "./plainLine.ts";
import type { WhoCalls } from "./visitor.ts";

interface FrontDoorOptions {
  readonly siteUrl: string | undefined;
  readonly encrypted: Encrypted;
  /** Asked first; only what it has nothing for is handled. */
  readonly ready: ReadyAnswers;
  readonly who: WhoCalls;
  /** Throws for what must not come on an unencrypted line. */
  readonly checkLine: PlainLineCheck;
  readonly limited: boolean;
  /** Told of every page that is sent. */
  readonly visits: Visits;
  /** Of every answer. */
  readonly requests: RequestCounts;
  readonly sayTo: SayTo;
  readonly ids: RequestIds;
  readonly log: Log;
  readonly report: ReportFault;
}

type Handle = (request: Request) => Response | Promise<Response>;

const nothing = () => {};

/**
 * Wraps the handler of requests of an application; refusals here look like all others. Elysia's own type of what it
 * wraps is of a handler that returns functions, which none does.
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
    if (isPageSent(request.method, path, status))
      options.visits.note(options.who.addressOf(request));
    const ms = performance.now() - started;
    options.requests.note(status, ms);
    options.log(lineOf({ id: ids.last(request), method: request.method, path, status, ms }));
  };

  const handled = (handle: Handle) => async (request: Request, asked: Asked) => {
    const started = performance.now();
    const { path } = asked;
    let done = nothing;
    let response: Response;
    try {
      check(request, asked);
      if (!isSafe(request.method)) done = sending(options.who.addressOf(request));
      response = await completed(request, await handle(handOn(request, asked)));
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
    // What no call takes isn't waited for, whatever was answered and whoever read none of it.
    if (announced(request) > UPLOAD_BODY) response.headers.set("connection", "close");
    if (response.status >= 400) response.headers.set("x-request-id", ids.of(request));
    close(request, path, response.status, started);
    return response;
  };

  const entrance = (handle: Handle): Handle => {
    const handleInFull = handled(handle);
    return (request) => {
      const started = performance.now();
      const asked = askedFor(request.url);
      const answer = ready.answer(request, asked);
      if (!answer) return handleInFull(request, asked);
      close(request, asked.path, answer.status, started);
      return answer;
    };
  };
  // Elysia asks for it with every request, by the one handler that it has compiled.
  let known: { readonly handle: Handle; readonly enter: Handle } | undefined;
  return (handle) => {
    if (known?.handle !== handle) known = { handle, enter: entrance(handle) };
    return known.enter;
  };
}

/** Files have a dot in their name, pages none; the fonts' rules are no page either. */
const isPageSent = (method: string, path: string, status: number) =>
  method === "GET" && status < 400 && !/^\/(?:api|fonts)\/|^\/metrics$|\./.test(path);

const NO_HOST = "The request doesn't say which host it is for. Use the site's address.";

function checks({
  siteUrl,
  checkLine,
}: FrontDoorOptions): (request: Request, asked: Asked) => void {
  const checkHost = hostCheck(siteUrl);
  const checkOrigin = originCheck(siteUrl);
  return (request, { target, path }) => {
    // Bun joins two Host headers by a comma; a proxy in front may have believed the other one.
    if (request.headers.get("host")?.includes(",")) throw malformed(NO_HOST);
    checkHost(request, path);
    if (!isWhole(request.url) && target !== HEALTH) throw malformed(NO_HOST);
    if (hasParameters(path) && !isDecodable(path)) throw notFound();
    if (!BY_TOKEN.has(path)) checkOrigin(request);
    checkLine(request, path);
    if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
      throw wrongType("Compressed requests aren't accepted. Send it uncompressed.");
  };
}

/**
 * Where a signed token alone says who may: mail programs post to the first from their own pages (RFC 8058), and the pages
 * of the others name no origin, since their address is told to nobody.
 */
const BY_TOKEN = new Set(["/unsubscribe", "/say", "/times"]);

/** What is not below these is a page, and an unknown one gets the card. */
const hasParameters = (path: string) => path.startsWith("/api/") || path.startsWith("/uploads/");

/** Elysia hands on `null` for a parameter such as `%ff`, which is no text in UTF-8. */
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
 * With a public address set, only its host is answered; without one any is, and never reflected.
 * What monitors ask for answers any Host. Throws a 421.
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
 * For every unsafe method: Sec-Fetch-Site must be same-origin or none; without it Origin must be
 * the site's own; neither present is allowed, as command-line clients send neither. Throws a 403.
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

/** What the API returns depends on the session, so no shared cache may keep it. */
function keepPrivate({ headers }: Response, path: string): void {
  if (path.startsWith("/api/") && !headers.has("cache-control"))
    headers.set("cache-control", "private, no-cache");
}
