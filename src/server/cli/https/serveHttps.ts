/** Serves a site over HTTPS: obtains and renews the certificate, and redirects from port 80. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { AnyElysia } from "elysia";
import { LISTEN_OPTIONS } from "../../http/listenOptions.ts";
import { parseTarget, ANY_HOST_PATHS } from "../../http/requestTarget.ts";
import { type HstsScope, chooseHstsScope, createHeaderSetter } from "../../http/securityHeaders.ts";
import { unwrapIpv4 } from "../../http/visitor.ts";
import { isLoopbackAddress } from "../../http/monitorAccess.ts";
import type { Config } from "../../shared/config.ts";
import { createDataKey } from "../../shared/dataKey.ts";
import { type Certificate, CertificateStore } from "./certificateStore.ts";
import { CertificateRenewal, type RenewalOptions } from "./renewal.ts";

export interface HttpsServer {
  /** Resolves when it serves HTTPS. */
  readonly ready: Promise<void>;
  /** Stops accepting requests; resolves when the current ones are done, or with `now` cuts them off. */
  stop(now: boolean): Promise<unknown>;
}

type Server = Bun.Server<undefined>;

/** Listens on both ports immediately; serves HTTPS once there is a certificate. Throws Bun's errors. */
export async function serveHttps(
  app: AnyElysia,
  config: Config,
  options: Pick<RenewalOptions, "log" | "report" | "order">,
): Promise<HttpsServer> {
  const { acmeDirectory: directory, email } = config;
  const domains = assertDefined(config.domain, "DOMAIN");
  const siteUrl = assertDefined(config.siteUrl, "address of the site");
  const store = new CertificateStore(config.certificatesDir, createDataKey(config.dataKey));
  await store.resealAll(domains);
  const certificates = await Promise.all(domains.map((domain) => store.readCertificate(domain)));
  const stored = certificates.flatMap((each) => each ?? []);
  // The app's own `listen` does that too, but can't change the certificate.
  app.compile();
  const challenges = new Map<string, string>();
  const respond = createHttpHandler(challenges, siteUrl, () => secure.isReady);
  const plain = Bun.serve({
    ...LISTEN_OPTIONS,
    hostname: config.host,
    port: config.httpPort,
    fetch: (request, server) =>
      isMonitored(request, server) ? app.fetch(request) : respond(request),
  });
  const handle = redirectToMainDomain(siteUrl, chooseHstsScope(config), domains, (request) =>
    app.fetch(request),
  );
  const secure = new SecureListener(config, handle, (server) => {
    app.server = combineServers(plain, server);
  });
  try {
    secure.useCertificates(stored);
  } catch (error) {
    await plain.stop(true);
    throw error;
  }
  const use = (certificates: readonly Certificate[]) => secure.useCertificates(certificates);
  const renewal = new CertificateRenewal(
    { ...options, store, directory, email, domains, challenges, use },
    stored,
  );
  return {
    ready: secure.ready,
    stop(now) {
      renewal.stop();
      return Promise.all([plain.stop(true), secure.stop(now)]);
    },
  };
}

/** This machine's monitors need no certificate, and ask before there is one, too. */
function isMonitored(request: Request, server: Server): boolean {
  const isLocal = isLoopbackAddress(unwrapIpv4(server.requestIP(request)?.address ?? "unknown"));
  return isLocal && ANY_HOST_PATHS.has(parseTarget(request.url).path);
}

/** The application asks one server for a sender's address; a request to port 80 is another one's. */
function combineServers(plain: Server, secure: Server): Server {
  const requestIp = secure.requestIP.bind(secure);
  return Object.assign(secure, {
    requestIP: (request: Request) => requestIp(request) ?? plain.requestIP(request),
  });
}

/**
 * Bun can't change the certificates of a listener: another with the new ones replaces it at once. Without any it
 * holds the port, so that a port in use is reported at the start, and no other program takes it.
 */
class SecureListener {
  isReady = false;
  #server: Server | undefined;
  readonly #ready = Promise.withResolvers<void>();
  /** Resolves when the site's own name has a certificate. */
  readonly ready = this.#ready.promise;
  #certificates: readonly Certificate[] = [];
  /** Former listeners, whose last requests are under way. */
  readonly #closingListeners = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly handle: RequestHandler,
    private readonly onListen: (server: Server) => void,
  ) {}

  /** The first is for clients that name no host. After an error the previous ones are in use again. */
  useCertificates(certificates: readonly Certificate[]): void {
    if (this.#server) {
      const stopped = this.#server.stop(false);
      this.#closingListeners.add(stopped);
      void stopped.finally(() => this.#closingListeners.delete(stopped));
    }
    try {
      this.#listen(certificates);
    } catch (error) {
      if (this.#server) this.#listen(this.#certificates);
      throw error;
    }
    this.#certificates = certificates;
  }

  #listen(certificates: readonly Certificate[]): void {
    const { host: hostname, port, domain: domains } = this.config;
    const tls = certificates.map(({ domain, key, chain }) => ({
      serverName: domain,
      key,
      cert: chain,
    }));
    this.isReady = tls.length > 0;
    this.#server = Bun.serve({
      ...LISTEN_OPTIONS,
      hostname,
      port,
      ...(this.isReady && { tls, http2: true }),
      fetch: this.isReady
        ? this.handle
        : () => new Response(CERTIFICATE_PENDING_MESSAGE, PENDING_RESPONSE_INIT),
    });
    this.onListen(this.#server);
    if (certificates.some(({ domain }) => domain === domains?.[0])) this.#ready.resolve();
  }

  stop(now: boolean): Promise<unknown> {
    return Promise.all([this.#server?.stop(now), ...this.#closingListeners]);
  }
}

type RequestHandler = (request: Request) => Response | Promise<Response>;

/** Redirects the site's other names to its first one, where its cookies and URLs belong. */
function redirectToMainDomain(
  siteUrl: string,
  encrypted: HstsScope,
  domains: readonly string[],
  handle: RequestHandler,
): RequestHandler {
  const mainDomain = new URL(siteUrl).hostname;
  const others = new Set(domains.filter((name) => name !== mainDomain));
  const secure = createHeaderSetter(encrypted);
  return (request) => {
    const host = request.headers.get("host")?.toLowerCase().replace(/:\d+$/, "") ?? "";
    if (!others.has(host)) return handle(request);
    const moved = redirectToHttps(siteUrl, request.url);
    secure(moved);
    return moved;
  };
}

const CHALLENGES_PATH = "/.well-known/acme-challenge/";

/** Plain HTTP serves the authority's challenges and redirects everything else, never to the Host that was sent. */
function createHttpHandler(
  challenges: ReadonlyMap<string, string>,
  siteUrl: string,
  isReady: () => boolean,
): RequestHandler {
  const secure = createHeaderSetter("nowhere");
  const respond = (url: string): Response => {
    if (!URL.canParse(url)) return new Response("The request couldn't be read.", { status: 400 });
    const { pathname } = new URL(url);
    const challenge =
      pathname.startsWith(CHALLENGES_PATH) &&
      challenges.get(pathname.slice(CHALLENGES_PATH.length));
    if (challenge) return new Response(challenge);
    // Refused, so that a misconfigured client is noticed before it sends more secrets in the clear.
    if (/^\/api(?:\/|$)/.test(pathname)) return new Response(HTTPS_ONLY_MESSAGE, { status: 403 });
    return isReady()
      ? redirectToHttps(siteUrl, url)
      : new Response(CERTIFICATE_PENDING_MESSAGE, PENDING_RESPONSE_INIT);
  };
  return ({ url }) => {
    const response = respond(url);
    secure(response);
    return response;
  };
}

const HTTPS_ONLY_MESSAGE = "The API is available over HTTPS only. Use the site's https:// address.";
const CERTIFICATE_PENDING_MESSAGE = "This site is getting its certificate. Try again in a minute.";
const PENDING_RESPONSE_INIT = { status: 503, headers: { "retry-after": "60" } };

function redirectToHttps(siteUrl: string, url: string): Response {
  const { pathname, search } = new URL(url);
  return new Response(null, { status: 308, headers: { location: siteUrl + pathname + search } });
}
