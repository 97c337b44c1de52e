/** Serves a site over HTTPS: obtains and renews the certificate, and redirects from port 80. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { AnyElysia } from "elysia";
import { LISTENING } from "../../http/listening.ts";
import { targetOf, ANY_HOST_PATHS } from "../../http/requestTarget.ts";
import { type HstsScope, hstsScope, securityHeaders } from "../../http/securityHeaders.ts";
import { plainAddress } from "../../http/visitor.ts";
import { isThisMachine } from "../../http/monitorAccess.ts";
import type { Config } from "../../shared/config.ts";
import { dataKeyOf } from "../../shared/dataKey.ts";
import { type Certificate, certificateStore, readCertificate } from "./certificateStore.ts";
import { ListenFailed, Renewal, type RenewalOptions } from "./renewal.ts";

export interface HttpsServer {
  /** The ports it listens on; the HTTPS port once there is a certificate. */
  ports(): number[];
  /** Resolves when it serves HTTPS. */
  readonly ready: Promise<void>;
  /** Accepts no more requests; resolves when the current ones are done, or with `now` cuts them off. */
  stop(now: boolean): Promise<unknown>;
}

type Server = Bun.Server<undefined>;

/** Listens on port 80 immediately, and on the HTTPS port once there is a certificate. Throws Bun's errors. */
export async function serveHttps(
  app: AnyElysia,
  config: Config,
  options: Pick<RenewalOptions, "log" | "report" | "order">,
): Promise<HttpsServer> {
  const { acmeDirectory: directory, email } = config;
  const domains = assertDefined(config.domain, "DOMAIN");
  const siteUrl = assertDefined(config.siteUrl, "address of the site");
  const store = certificateStore(config.certificatesDir, dataKeyOf(config.dataKey));
  const stored = await readCertificate(store, domains, Date.now());
  // The app's own `listen` does that too, but can't change the certificate.
  app.compile();
  const handle = redirectToMainDomain(siteUrl, hstsScope(config), domains, (request) =>
    app.fetch(request),
  );
  const challenges = new Map<string, string>();
  const respond = plainResponses(challenges, siteUrl, () => secure.server !== undefined);
  const plain = Bun.serve({
    ...LISTENING,
    hostname: config.host,
    port: config.httpPort,
    fetch: (request, server) =>
      isWatched(request, server) ? app.fetch(request) : respond(request),
  });
  const secure = new SecureListener(config, handle, (server) => {
    app.server = withSendersOf(plain, server);
  });
  app.server = plain;
  if (stored) secure.listen(stored);
  const use = (certificate: Certificate) => secure.replace(certificate);
  const renewal = new Renewal(
    { ...options, store, directory, email, domains, challenges, use },
    stored,
  );
  return {
    ready: secure.ready,
    ports: () => [plain, secure.server].flatMap((server) => server?.port ?? []),
    stop(now) {
      renewal.stop();
      return Promise.all([plain.stop(true), secure.stop(now)]);
    },
  };
}

/** This machine's monitors need no certificate, and ask before there is one, too. */
function isWatched(request: Request, server: Server): boolean {
  const isHere = isThisMachine(plainAddress(server.requestIP(request)?.address ?? "unknown"));
  return isHere && ANY_HOST_PATHS.has(targetOf(request.url).path);
}

/** The application asks one server for a sender's address; a request to port 80 is another one's. */
function withSendersOf(plain: Server, secure: Server): Server {
  const own = secure.requestIP.bind(secure);
  return Object.assign(secure, {
    requestIP: (request: Request) => own(request) ?? plain.requestIP(request),
  });
}

/** Bun can't change the certificate of a listener: a new one takes over at once, or else the old one again. */
class SecureListener {
  server: Server | undefined;
  readonly #ready = Promise.withResolvers<void>();
  /** Resolves when it listens. */
  readonly ready = this.#ready.promise;
  #inUse: Certificate | undefined;
  /** Former listeners, whose last requests are under way. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly handle: Handle,
    private readonly onListen: (server: Server) => void,
  ) {}

  listen(certificate: Certificate): void {
    const { host, port } = this.config;
    const tls = { key: certificate.key, cert: certificate.chain };
    this.server = Bun.serve({
      ...LISTENING,
      hostname: host,
      port,
      tls,
      http2: true,
      fetch: this.handle,
    });
    this.onListen(this.server);
    this.#inUse = certificate;
    this.#ready.resolve();
  }

  /** Throws `ListenFailed`; the previous certificate is in use again then, if that can be listened with. */
  replace(certificate: Certificate): void {
    if (this.server) this.#leave(this.server.stop(false));
    this.server = undefined;
    try {
      this.listen(certificate);
    } catch (error) {
      try {
        if (this.#inUse) this.listen(this.#inUse);
      } catch {
        // The error to report is the new certificate's.
      }
      throw new ListenFailed(this.config.port, this.server && this.#inUse, error);
    }
  }

  stop(now: boolean): Promise<unknown> {
    return Promise.all([this.server?.stop(now), ...this.#leaving]);
  }

  #leave(stopped: Promise<void>): void {
    this.#leaving.add(stopped);
    void stopped.finally(() => this.#leaving.delete(stopped));
  }
}

type Handle = (request: Request) => Response | Promise<Response>;

/** Redirects the site's other names to its first one, where its cookies and URLs belong. */
function redirectToMainDomain(
  siteUrl: string,
  encrypted: HstsScope,
  domains: readonly string[],
  handle: Handle,
): Handle {
  const own = new URL(siteUrl).hostname;
  const others = new Set(domains.filter((name) => name !== own));
  const secure = securityHeaders(encrypted);
  return (request) => {
    const host = request.headers.get("host")?.toLowerCase().replace(/:\d+$/, "") ?? "";
    if (!others.has(host)) return handle(request);
    const moved = redirect(siteUrl, request.url);
    secure(moved);
    return moved;
  };
}

const CHALLENGES = "/.well-known/acme-challenge/";

/** Plain HTTP serves the authority's challenges and redirects everything else, never to the Host that was sent. */
function plainResponses(
  challenges: ReadonlyMap<string, string>,
  siteUrl: string,
  isReady: () => boolean,
): Handle {
  const secure = securityHeaders("nowhere");
  const respond = (url: string): Response => {
    if (!URL.canParse(url)) return new Response("The request couldn't be read.", { status: 400 });
    const { pathname } = new URL(url);
    const challenge =
      pathname.startsWith(CHALLENGES) && challenges.get(pathname.slice(CHALLENGES.length));
    if (challenge) return new Response(challenge);
    // Refused, so that a misconfigured client is noticed before it keeps sending secrets in the clear.
    if (/^\/api(?:\/|$)/.test(pathname)) return new Response(NO_CALLS, { status: 403 });
    return isReady() ? redirect(siteUrl, url) : new Response(NOT_YET, SOON);
  };
  return ({ url }) => {
    const response = respond(url);
    secure(response);
    return response;
  };
}

const NO_CALLS = "The API is available over HTTPS only. Use the site's https:// address.";
const NOT_YET = "This site is getting its certificate. Try again in a minute.";
const SOON = { status: 503, headers: { "retry-after": "60" } };

function redirect(siteUrl: string, url: string): Response {
  const { pathname, search } = new URL(url);
  return new Response(null, { status: 308, headers: { location: siteUrl + pathname + search } });
}
