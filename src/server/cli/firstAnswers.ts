/**
 * Listens before the site is open: answers with the pages kept from before, says that it is starting to
 * whoever asks for its health, and lets all else wait for a moment.
 */
import { LISTENING } from "../http/listening.ts";
import { pathOf } from "../http/pathOf.ts";
import { readyAnswers } from "../http/readyAnswers.ts";
import { requestIds, requestLines } from "../http/requestLog.ts";
import { securityHeaders } from "../http/securityHeaders.ts";
import { keptPages } from "../pages/keptPages.ts";
import type { Config } from "../shared/config.ts";

type Handle = (request: Request) => Response | Promise<Response>;

export interface FirstAnswers {
  readonly server: Bun.Server<undefined>;
  /** The site is open: from now on `handle` answers, what has waited as well. */
  goOn(handle: Handle): void;
}

/** Undefined where no pages are kept that are of what is stored now, and where it can't listen. */
export function answerFirst(config: Config, log: (line: string) => void): FirstAnswers | undefined {
  // A site that serves HTTPS itself has its certificate to read first.
  const pages = config.domain ? undefined : keptPages(config)?.read();
  if (!pages || pages.size === 0) return undefined;
  const ready = readyAnswers(config.siteUrl);
  for (const [path, page] of pages) ready.set(path, page);
  const secure = securityHeaders(config.siteUrl?.startsWith("https:") ?? false);
  const lineOf = requestLines(Date.now);
  const ids = requestIds();
  const open = Promise.withResolvers<Handle>();

  async function fetch(request: Request): Promise<Response> {
    const started = performance.now();
    const { method, url } = request;
    const path = pathOf(url);
    const first = path === "/api/health" ? starting() : ready.prepared(request);
    if (!first) return (await open.promise)(request);
    const response = await first;
    secure(response);
    const ms = performance.now() - started;
    log(lineOf({ id: ids.last(request), method, path, status: response.status, ms }));
    return response;
  }

  try {
    const { host: hostname, port } = config;
    const server = Bun.serve({ ...LISTENING, hostname, port, fetch });
    return {
      server,
      goOn(handle) {
        open.resolve(handle);
        server.reload({ ...LISTENING, fetch: handle });
      },
    };
  } catch {
    // The site's own try says why.
    return undefined;
  }
}

const starting = () =>
  Response.json(
    { status: "starting" },
    { status: 503, headers: { "cache-control": "private, no-cache", "retry-after": "1" } },
  );
