/** Serves a site over HTTPS: obtains and renews the certificate, and redirects from port 80. */
import { present } from "../../../schema/present.ts";
import type { AnyElysia } from "elysia";
import { LISTENING } from "../../http/listening.ts";
import { type Encrypted, encryptedAt, securityHeaders } from "../../http/securityHeaders.ts";
import type { Config } from "../../shared/config.ts";
import { dataKeyOf } from "../../shared/dataKey.ts";
import type { Instances } from "../../shared/instances.ts";
import type { Log } from "../../shared/log.ts";
import { answersAmong, type ChallengeAnswers, ownAnswers } from "./challengeAnswers.ts";
import {
  amongInstances,
  inFolder,
  type KeptCertificate,
  readCertificate,
  sealedStorage,
} from "./keptCertificate.ts";
import { CannotListen, keepRenewing, type RenewalOptions } from "./renewal.ts";

export interface HttpsServer {
  /** The ports it listens on; the HTTPS port once there is a certificate. */
  ports(): number[];
  /** Resolves when it serves HTTPS. */
  readonly ready: Promise<void>;
  /** Accepts no more requests; resolves when the current ones are done, or with `now` cuts them off. */
  stop(now: boolean): Promise<unknown>;
}

type Server = Bun.Server<undefined>;

/** What it needs besides the site and its settings. */
interface HttpsOptions {
  readonly instances: Instances;
  readonly log: Log;
  readonly trouble: RenewalOptions["trouble"];
}

/** Listens on port 80 immediately, and on the HTTPS port once there is a certificate. Throws Bun's errors. */
export async function serveHttps(
  app: AnyElysia,
  config: Config,
  { instances, log, trouble }: HttpsOptions,
): Promise<HttpsServer> {
  const { certificatesDir, acmeDirectory: directory, email } = config;
  const { shared } = instances;
  const domains = present(config.domain, "DOMAIN");
  const siteUrl = present(config.siteUrl, "address of the site");
  const kind = shared ? amongInstances(shared) : inFolder(certificatesDir);
  const storage = sealedStorage(kind, dataKeyOf(config.dataKey));
  const answers = shared ? answersAmong(storage) : ownAnswers();
  const kept = await readCertificate(storage, domains, Date.now());
  // The app's own `listen` does that too, but can't change the certificate.
  app.compile();
  const handle = toOneName(siteUrl, encryptedAt(config), domains, (request) => app.fetch(request));
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  let secure: Server | undefined;
  let inUse: KeptCertificate | undefined;
  const leaving = new Set<Promise<void>>();

  const listenWith = (certificate: KeptCertificate) => {
    const { key, chain: cert } = certificate;
    secure = listening(config, { key, cert }, handle);
    app.server = secure;
    inUse = certificate;
    isReady();
  };
  /** Bun can't change the certificate of a listener: a new one takes over at once, or else the old one again. */
  const use = (next: KeptCertificate) => {
    if (secure) leave(leaving, secure.stop(false));
    secure = undefined;
    try {
      listenWith(next);
    } catch (error) {
      try {
        if (inUse) listenWith(inUse);
      } catch {
        // The error to report is the new certificate's.
      }
      throw new CannotListen(config.port, secure && inUse, error);
    }
  };
  const plain = Bun.serve({
    ...LISTENING,
    hostname: config.host,
    port: config.httpPort,
    fetch: plainAnswers(answers, siteUrl, () => secure !== undefined),
  });
  if (kept) listenWith(kept);
  const renewing = keepRenewing(
    { storage, instances, directory, email, domains, answers, use, log, trouble },
    kept,
  );
  return {
    ready,
    ports: () => [plain, secure].flatMap((server) => server?.port ?? []),
    stop(now) {
      renewing.stop();
      return Promise.all([plain.stop(true), secure?.stop(now), ...leaving]);
    },
  };
}

function leave(leaving: Set<Promise<void>>, stopped: Promise<void>): void {
  leaving.add(stopped);
  void stopped.finally(() => leaving.delete(stopped));
}

type Handle = (request: Request) => Response | Promise<Response>;

function listening({ host, port }: Config, tls: Bun.TLSOptions, fetch: Handle): Server {
  return Bun.serve({ ...LISTENING, hostname: host, port, tls, fetch });
}

/** Redirects the site's other names to its first one, where its cookies and URLs belong. */
function toOneName(
  siteUrl: string,
  encrypted: Encrypted,
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
function plainAnswers(
  answers: Pick<ChallengeAnswers, "get">,
  siteUrl: string,
  isReady: () => boolean,
): (request: Request) => Promise<Response> {
  const secure = securityHeaders("nowhere");
  const answerTo = async (url: string): Promise<Response> => {
    if (!URL.canParse(url)) return new Response("The request couldn't be read.", { status: 400 });
    const { pathname } = new URL(url);
    const answer =
      pathname.startsWith(CHALLENGES) && (await answers.get(pathname.slice(CHALLENGES.length)));
    if (answer) return new Response(answer);
    // Refused, so that a misconfigured client is noticed before it keeps sending secrets in the clear.
    if (/^\/api(?:\/|$)/.test(pathname)) return new Response(NO_CALLS, { status: 403 });
    return isReady() ? redirect(siteUrl, url) : new Response(NOT_YET, SOON);
  };
  return async ({ url }) => {
    const response = await answerTo(url);
    secure(response);
    return response;
  };
}

const NO_CALLS = "Calls are answered over HTTPS alone. Use the site's https:// address.";
const NOT_YET = "This site is getting its certificate. Try again in a minute.";
const SOON = { status: 503, headers: { "retry-after": "60" } };

function redirect(siteUrl: string, url: string): Response {
  const { pathname, search } = new URL(url);
  return new Response(null, { status: 308, headers: { location: siteUrl + pathname + search } });
}
