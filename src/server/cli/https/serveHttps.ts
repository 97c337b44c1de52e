/** Serves a site over HTTPS: obtains and renews the certificate, and redirects from port 80. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { AnyElysia } from "elysia";
import { LISTEN_OPTIONS } from "../../http/listenOptions.ts";
import { parseTarget, ANY_HOST_PATHS } from "../../http/requestTarget.ts";
import { type HttpsSettings, createHeaderSetter } from "../../http/securityHeaders.ts";
import { unwrapIpv4 } from "../../http/visitor.ts";
import { isLoopbackAddress } from "../../http/monitorAccess.ts";
import type { Config } from "../../shared/config.ts";
import { createDataKey } from "../../shared/secrets.ts";
import { stripRootDot } from "../../shared/settingTypes.ts";
import { type Certificate, CertificateStore } from "./certificateStore.ts";
import { CertificateRenewal, type RenewalOptions } from "./renewal.ts";

export interface StoppableServer {
  /** Resolves when the site can be reached: with HTTPS, once the name in its URL has a certificate. */
  readonly ready: Promise<void>;
  /** Stops accepting requests; resolves when the current requests are done. `isImmediate` aborts them. */
  stop(isImmediate: boolean): Promise<unknown>;
}

type Server = Bun.Server<undefined>;

/** Listens on both ports immediately; serves HTTPS once there is a certificate. Throws Bun's errors. */
export async function serveHttps(
  app: AnyElysia,
  config: Config,
  options: Pick<RenewalOptions, "log" | "reportProblem" | "order">,
): Promise<StoppableServer> {
  const { acmeDirectory: directory, email } = config;
  const domains = assertDefined(config.domain, "DOMAIN");
  const siteUrl = assertDefined(config.siteUrl, "address of the site");
  const store = new CertificateStore(config.certificatesDir, createDataKey(config.dataKey));
  await store.resealAll(domains);
  const certificates = await Promise.all(domains.map((domain) => store.readCertificate(domain)));
  const usable = certificates.flatMap((each) => each ?? []);
  // Elysia's `listen` would compile the routes, too, but it can't change the certificate later.
  app.compile();
  const challenges = new Map<string, string>();
  const respond = createHttpHandler(challenges, siteUrl, () => httpsListener.hasCertificate);
  const httpServer = Bun.serve({
    ...LISTEN_OPTIONS,
    hostname: config.host,
    port: config.httpPort,
    fetch: (request, server) =>
      isLocalMonitor(request, server) ? app.fetch(request) : respond(request),
  });
  const handle = redirectToMainDomain(siteUrl, config, domains, (request) => app.fetch(request));
  const httpsListener = new HttpsListener(config, handle, (server) => {
    app.server = combineServers(httpServer, server);
  });
  try {
    httpsListener.useCertificates(usable);
  } catch (error) {
    await httpServer.stop(true);
    throw error;
  }
  const useCertificates = (certificates: readonly Certificate[]) =>
    httpsListener.useCertificates(certificates);
  const renewal = new CertificateRenewal(
    { ...options, store, directoryUrl: directory, email, domains, challenges, useCertificates },
    usable,
  );
  return {
    ready: httpsListener.ready,
    stop(isImmediate) {
      renewal.stop();
      return Promise.all([httpServer.stop(true), httpsListener.stop(isImmediate)]);
    },
  };
}

/** Whether an uptime monitor on this machine sent a request. It may use port 80 even without a certificate. */
function isLocalMonitor(request: Request, server: Server): boolean {
  const isLocal = isLoopbackAddress(unwrapIpv4(server.requestIP(request)?.address ?? "unknown"));
  return isLocal && ANY_HOST_PATHS.has(parseTarget(request.url).path);
}

/** Returns the HTTPS server with a `requestIP` that also knows the senders of plain HTTP requests. */
function combineServers(plainServer: Server, httpsServer: Server): Server {
  const requestIp = httpsServer.requestIP.bind(httpsServer);
  return Object.assign(httpsServer, {
    requestIP: (request: Request) => requestIp(request) ?? plainServer.requestIP(request),
  });
}

/**
 * Listens on the HTTPS port. Bun can't change a listener's certificates, so a new listener replaces the old one. The
 * first listener starts even without a certificate, so that a port in use is noticed at once.
 */
class HttpsListener {
  hasCertificate = false;
  #server: Server | undefined;
  readonly #ready = Promise.withResolvers<void>();
  readonly ready = this.#ready.promise;
  #certificates: readonly Certificate[] = [];
  /** One promise for each replaced listener, which resolves when the listener's last request is done. */
  readonly #stoppingListeners = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly handle: RequestHandler,
    private readonly onListen: (server: Server) => void,
  ) {}

  /** Replaces the certificates. If this throws, the old ones stay in use. Clients without SNI get the first one. */
  useCertificates(certificates: readonly Certificate[]): void {
    if (this.#server) {
      const stopping = this.#server.stop(false);
      this.#stoppingListeners.add(stopping);
      void stopping.finally(() => this.#stoppingListeners.delete(stopping));
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
    const tls = certificates.map(({ domain: serverName, key, chain: cert }) => ({
      serverName,
      key,
      cert,
    }));
    this.hasCertificate = tls.length > 0;
    this.#server = Bun.serve({
      ...LISTEN_OPTIONS,
      hostname,
      port,
      ...(this.hasCertificate && { tls, http2: true }),
      fetch: this.hasCertificate
        ? this.handle
        : () => new Response(CERTIFICATE_PENDING_MESSAGE, PENDING_RESPONSE_INIT),
    });
    this.onListen(this.#server);
    if (certificates.some(({ domain }) => domain === domains?.[0])) this.#ready.resolve();
  }

  async stop(isImmediate: boolean): Promise<void> {
    await Promise.all([this.#server?.stop(isImmediate), ...this.#stoppingListeners]);
  }
}

type RequestHandler = (request: Request) => Response | Promise<Response>;

/** Redirects requests for the site's other names to the main name, for which cookies and URLs are valid. */
function redirectToMainDomain(
  siteUrl: string,
  settings: HttpsSettings,
  domains: readonly string[],
  handle: RequestHandler,
): RequestHandler {
  const mainDomain = new URL(siteUrl).hostname;
  const otherDomains = new Set(domains.filter((name) => name !== mainDomain));
  const setSecurityHeaders = createHeaderSetter(settings);
  return (request) => {
    const host = request.headers.get("host")?.toLowerCase().replace(/:\d*$/, "") ?? "";
    if (!otherDomains.has(stripRootDot(host))) return handle(request);
    const redirect = redirectToHttps(siteUrl, request.url);
    setSecurityHeaders(redirect);
    return redirect;
  };
}

const CHALLENGES_PATH = "/.well-known/acme-challenge/";

/** Handles plain HTTP: answers challenges, and redirects other requests to `siteUrl`, never to the requested host. */
function createHttpHandler(
  challenges: ReadonlyMap<string, string>,
  siteUrl: string,
  hasCertificate: () => boolean,
): RequestHandler {
  const setSecurityHeaders = createHeaderSetter({ siteUrl: undefined, httpsSubdomains: false });
  const respond = (url: string): Response => {
    if (!URL.canParse(url)) return new Response("The request couldn't be read.", { status: 400 });
    const { pathname } = new URL(url);
    const challenge =
      pathname.startsWith(CHALLENGES_PATH) &&
      challenges.get(pathname.slice(CHALLENGES_PATH.length));
    if (challenge) return new Response(challenge);
    // API requests aren't redirected: a client with an http:// URL would keep sending its secrets unencrypted.
    if (/^\/api(?:\/|$)/.test(pathname)) return new Response(HTTPS_ONLY_MESSAGE, { status: 403 });
    return hasCertificate()
      ? redirectToHttps(siteUrl, url)
      : new Response(CERTIFICATE_PENDING_MESSAGE, PENDING_RESPONSE_INIT);
  };
  return ({ url }) => {
    const response = respond(url);
    setSecurityHeaders(response);
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
