/**
 * Prepared responses for the most requested paths, sent before the application runs: pages, built files and pictures,
 * of which each visitor gets a clone that shares the bytes. Anything unusual about a request (host, method, an
 * unknown ETag) is left to the application, which handles everything. See docs/decisions/0012-ready-responses.md.
 */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import type { RequestTarget } from "./requestTarget.ts";
import { chooseEncoding, respondConditionally, type Representation } from "./conditional.ts";
import { chooseHstsScope, createHeaderSetter } from "./securityHeaders.ts";

/** Prepared responses by path. */
export interface ReadyResponses {
  /** Undefined when nothing is prepared for the request. */
  responseTo(request: Request, target: RequestTarget): Response | undefined;
  /** Serves this for `path` from now on; it must be current. Setting the same one again does nothing. */
  set(path: string, representation: Representation): void;
  /** Sends `path` to the application until it is set again. */
  delete(path: string): void;
}

/** One path's responses by encoding, and its 304 as "unchanged"; each prepared on first use. */
interface ReadyResponse {
  readonly representation: Representation;
  readonly responses: Map<string, Response>;
}

/** `siteUrl` is the only address served; undefined serves any plain host name or IPv4 address. */
export function createReadyResponses(
  siteUrl: string | undefined,
  encrypted = chooseHstsScope({ siteUrl, httpsSubdomains: false }),
): ReadyResponses {
  const ready = new Map<string, ReadyResponse>();
  const secure = createHeaderSetter(encrypted);
  const siteHost = siteUrl === undefined ? undefined : new URL(siteUrl).host;
  const isSiteHost = (host: string) =>
    siteHost === undefined ? PLAIN_HOST_PATTERN.test(host) : host === siteHost;
  const encodingOf = createEncodingCache();

  async function prepare(
    { representation, responses }: ReadyResponse,
    kind: string,
  ): Promise<void> {
    const headers = {
      [kind === UNCHANGED_KEY ? "if-none-match" : "accept-encoding"]: responseKey(
        kind,
        representation,
      ),
    };
    const response = await respondConditionally(
      new Request("http://localhost", { headers }),
      representation,
    );
    secure(response);
    responses.set(kind, response);
  }

  return {
    responseTo({ method, headers }, { target }) {
      if (method !== "GET") return undefined;
      const entry = ready.get(target);
      if (!entry || !isSiteHost(headers.get("host") ?? "") || hasBody(headers)) return undefined;
      if (entry.representation.hasRanges && headers.has("range")) return undefined;
      const ifNoneMatch = headers.get("if-none-match");
      if (ifNoneMatch !== null && ifNoneMatch !== entry.representation.etag) return undefined;
      const kind =
        ifNoneMatch === null
          ? encodingOf(headers.get("accept-encoding") ?? "", entry.representation)
          : UNCHANGED_KEY;
      const response = entry.responses.get(kind);
      // A response can be sent only once; its clones share the bytes.
      if (response) return response.clone();
      // On failure the application handles the path, and reports it.
      prepare(entry, kind).catch(() => entry.responses.clear());
      return undefined;
    },
    set(path, representation) {
      if (ready.get(path)?.representation !== representation)
        ready.set(path, { representation, responses: new Map() });
    },
    delete: (path) => void ready.delete(path),
  };
}

/** No comma: Bun joins two Host headers with one. */
const PLAIN_HOST_PATTERN = /^[\w.-]+(?::\d+)?$/;
const UNCHANGED_KEY = "unchanged";

const responseKey = (kind: string, { etag }: Representation) =>
  kind === UNCHANGED_KEY ? assertDefined(etag, "ETag") : kind;

const hasBody = (headers: Headers) =>
  headers.has("content-length") || headers.has("content-encoding");

/** Different headers: one for each common browser, with a margin. */
const MAX_CACHED_HEADERS = 100;

/** A client's preferred encoding, cached by its header. */
function createEncodingCache(): (accepted: string, representation: Representation) => string {
  const remembered = new Map<string, string>();
  return (accepted, representation) => {
    if (!representation.bytes.br && !representation.bytes.gzip) return "identity";
    if (!representation.bytes.br || representation.isShort)
      return chooseEncoding(accepted, representation);
    const cached = remembered.get(accepted);
    if (cached !== undefined) return cached;
    const encoding = chooseEncoding(accepted, representation);
    if (remembered.size < MAX_CACHED_HEADERS) remembered.set(accepted, encoding);
    return encoding;
  };
}
