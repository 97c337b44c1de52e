/** What every request passes before it is routed, and every answer before it leaves. */
import { UPLOAD_BODY, bodyTooLarge } from "./body.ts";
import { compressed } from "./compress.ts";
import { answerTo, type ReportFault } from "./errors.ts";
import { withEtag } from "./etag.ts";
import { hostCheck } from "./hostCheck.ts";
import { inFlight } from "./inFlight.ts";
import { type Log, requestLine } from "./log.ts";
import { isSafe, originCheck } from "./originCheck.ts";
import { malformed, wrongType } from "./refusal.ts";
import { securityHeaders } from "./securityHeaders.ts";
import type { WhoCalls } from "./visitorPlugin.ts";

/** How Bun listens. Its own limit is far above ours, because its 413 has neither words nor headers. */
export const LISTENING = {
  reusePort: false,
  idleTimeout: 10,
  maxRequestBodySize: 64 * 1024 * 1024,
} as const;

/** What the front door needs to know of the site. */
export interface FrontDoorOptions {
  readonly siteUrl: string | undefined;
  readonly who: WhoCalls;
  readonly limited: boolean;
  readonly log: Log;
  readonly report: ReportFault;
}

const nothing = () => {};
const NO_HOST = "The request does not say which host it is for. Use the site's address.";

type Handle = (request: Request) => Response | Promise<Response>;

/** Wraps a handler of requests; refusals here look like all others. */
export function frontDoor(options: FrontDoorOptions): (handle: Handle) => Handle {
  const check = checks(options);
  const secure = securityHeaders(options.siteUrl?.startsWith("https:") ?? false);
  const sending = options.limited ? inFlight() : () => nothing;

  return (handle) => async (request) => {
    const started = performance.now();
    const path = pathOf(request.url);
    let done = nothing;
    let response: Response;
    try {
      check(request, path);
      if (!isSafe(request.method)) done = sending(options.who(request).address);
      response = await compressed(request, await withEtag(request, await handle(request)));
    } catch (error) {
      response = answerTo(error, "UNKNOWN", options.report);
    } finally {
      done();
    }
    secure(response);
    keepPrivate(response, path);
    options.log(requestLine(request.method, path, response.status, performance.now() - started));
    return response;
  };
}

function checks({ siteUrl }: FrontDoorOptions): (request: Request, path: string) => void {
  const checkHost = hostCheck(siteUrl);
  const checkOrigin = originCheck(siteUrl);
  return (request, path) => {
    checkHost(request, path);
    // Bun builds the address out of the Host as it came, so one that is none makes it unreadable.
    if (path !== "/api/health" && !URL.canParse(request.url)) throw malformed(NO_HOST);
    checkOrigin(request);
    if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
      throw wrongType("Compressed requests are not taken. Send it uncompressed.");
    if (Number(request.headers.get("content-length") ?? 0) > UPLOAD_BODY)
      throw bodyTooLarge(UPLOAD_BODY);
  };
}

/** What calls answer depends on the session, so no shared cache may keep it. */
function keepPrivate({ headers }: Response, path: string): void {
  if (path.startsWith("/api/") && !headers.has("cache-control"))
    headers.set("cache-control", "private, no-cache");
}

/** The path of an address, without query; only a request without a Host has no more than that. */
function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const end = url.indexOf("?", start);
  return start === -1 ? "/" : url.slice(start, end === -1 ? undefined : end);
}
