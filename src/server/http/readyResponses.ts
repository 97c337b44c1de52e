/**
 * Prepared responses for the most requested paths (pages, built files, pictures), sent before the application runs.
 * Each visitor gets a clone that shares the bytes. Requests with anything unusual (host, method, an unknown ETag) are
 * left to the application. See docs/decisions/0012-ready-responses.md.
 */
import type { RequestTarget } from "./requestTarget.ts";
import {
  chooseEncoding,
  respondConditionally,
  type Representation,
} from "./conditionalRequests.ts";
import { createHeaderSetter, type HttpsSettings } from "./securityHeaders.ts";

export interface ReadyResponses {
  /** Returns a prepared response; undefined if there is none for this request. */
  findResponse(request: Request, target: RequestTarget): Response | undefined;
  /** Serves this representation of `path` from now on. */
  set(path: string, representation: Representation): void;
  /** Stops serving `path`, so that the application handles its requests. */
  delete(path: string): void;
}

/** The responses of one path by encoding, and the 304 by its ETag. Each is prepared on first use. */
interface ReadyEntry {
  readonly representation: Representation;
  readonly responses: Map<string, Response>;
}

/** Creates responses for `siteUrl` only. Without `siteUrl`, they serve any plain host name or IPv4 address. */
export function createReadyResponses(settings: HttpsSettings): ReadyResponses {
  const { siteUrl } = settings;
  const entriesByPath = new Map<string, ReadyEntry>();
  const setSecurityHeaders = createHeaderSetter(settings);
  const siteHost = siteUrl === undefined ? undefined : new URL(siteUrl).host;
  const isSiteHost = (host: string) =>
    siteHost === undefined ? PLAIN_HOST_PATTERN.test(host) : host === siteHost;
  const getEncoding = createEncodingCache();

  async function prepare(
    { representation, responses }: ReadyEntry,
    variant: string,
  ): Promise<void> {
    const isEtag = variant === representation.etag;
    const headers = { [isEtag ? "if-none-match" : "accept-encoding"]: variant };
    const response = await respondConditionally(
      new Request("http://localhost", { headers }),
      representation,
    );
    setSecurityHeaders(response);
    responses.set(variant, response);
  }

  return {
    findResponse({ method, headers }, { target }) {
      if (method !== "GET") return undefined;
      const entry = entriesByPath.get(target);
      if (!entry || !isSiteHost(headers.get("host") ?? "") || hasBody(headers)) return undefined;
      if (entry.representation.hasRanges && headers.has("range")) return undefined;
      const ifNoneMatch = headers.get("if-none-match");
      if (ifNoneMatch !== null && ifNoneMatch !== entry.representation.etag) return undefined;
      const variant =
        ifNoneMatch ?? getEncoding(headers.get("accept-encoding") ?? "", entry.representation);
      const response = entry.responses.get(variant);
      // A response can be sent only once; its clones share the bytes.
      if (response) return response.clone();
      // After a failure the application responds, and reports the error if it fails, too.
      prepare(entry, variant).catch(() => entry.responses.clear());
      return undefined;
    },
    set(path, representation) {
      if (entriesByPath.get(path)?.representation !== representation)
        entriesByPath.set(path, { representation, responses: new Map() });
    },
    delete: (path) => void entriesByPath.delete(path),
  };
}

/** Matches a host without commas: Bun joins two Host headers with a comma. */
const PLAIN_HOST_PATTERN = /^[\w.-]+(?::\d+)?$/;

const hasBody = (headers: Headers) =>
  headers.has("content-length") || headers.has("content-encoding");

/** The maximum number of cached Accept-Encoding headers. Common browsers send far fewer different ones. */
const MAX_CACHED_HEADERS = 100;

function createEncodingCache(): (acceptEncoding: string, representation: Representation) => string {
  const encodings = new Map<string, string>();
  return (acceptEncoding, representation) => {
    if (!representation.bytes.br && !representation.bytes.gzip) return "identity";
    if (!representation.bytes.br || representation.isShort)
      return chooseEncoding(acceptEncoding, representation);
    const cached = encodings.get(acceptEncoding);
    if (cached !== undefined) return cached;
    const encoding = chooseEncoding(acceptEncoding, representation);
    if (encodings.size < MAX_CACHED_HEADERS) encodings.set(acceptEncoding, encoding);
    return encoding;
  };
}
