/** Starts and stops the server. */
import { readFileSync } from "node:fs";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import type { AnyElysia } from "elysia";
import { formatUrlHost, LISTEN_OPTIONS } from "../http/listenOptions.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { RenewalOptions } from "./https/renewal.ts";
import type { StoppableServer } from "./https/serveHttps.ts";
import { getErrorCode } from "../shared/errorDetails.ts";

export interface ListeningSite {
  /** The address on this machine, for a message: "127.0.0.1:3000". */
  readonly localAddress: string;
  readonly port: number;
  readonly ready: StoppableServer["ready"];
  /** Stops accepting requests, and aborts the current ones after `SHUTDOWN_GRACE_MS`. */
  stop(): Promise<void>;
}

interface ListenOptions extends Pick<RenewalOptions, "log" | "reportProblem"> {
  /** Prints a line without the time, for the person who started the program. */
  readonly print: Log;
}

/** Starts the server, with HTTPS if DOMAIN is set. Throws `usage` if the port can't be used. */
export async function startListening(
  app: AnyElysia,
  config: Config,
  options: ListenOptions,
): Promise<ListeningSite> {
  const { host, port, httpPort, domain } = config;
  const formatLocalAddress = (sitePort: number) =>
    `${formatUrlHost(host)}:${domain ? `${httpPort} and ` : ""}${sitePort}`;
  try {
    const server = domain ? await listenHttps(app, config, options) : listenHttp(app, config);
    const warning = describeLowDescriptorLimit();
    if (warning) options.print(warning, "warning");
    // With PORT=0 the system chooses a port.
    const actualPort = domain ? port : assertDefined(app.server?.port, "port");
    return {
      localAddress: formatLocalAddress(actualPort),
      port: actualPort,
      ready: server.ready,
      async stop() {
        const stopping = server.stop(false).then(() => true);
        if (!(await Promise.race([stopping, Bun.sleep(SHUTDOWN_GRACE_MS)]))) void server.stop(true);
      },
    };
  } catch (error) {
    throw createListenRefusal(formatLocalAddress(port), domain !== undefined, error);
  }
}

/** How long current requests may take when the site stops. */
export const SHUTDOWN_GRACE_MS = 8000;

function listenHttp(app: AnyElysia, { host, port }: Config): StoppableServer {
  app.listen({ ...LISTEN_OPTIONS, hostname: host, port });
  return { ready: Promise.resolve(), stop: (isImmediate) => app.stop(isImmediate) };
}

async function listenHttps(app: AnyElysia, config: Config, options: ListenOptions) {
  // Only sites that serve HTTPS themselves load this module.
  return (await import("./https/serveHttps.ts")).serveHttps(app, config, options);
}

function createListenRefusal(localAddress: string, isHttps: boolean, error: unknown) {
  if (getErrorCode(error) === "EACCES")
    return wrongUsage(
      `Can't listen on ${localAddress}: ports below 1024 require a capability. In the service, set AmbientCapabilities=CAP_NET_BIND_SERVICE (docs/operating.md).`,
    );
  // With HTTPS, the message doesn't suggest another port: the certificate authority connects to port 80.
  const advice = isHttps
    ? "that no other program uses these ports."
    : "that no other program uses this port. To use another port, set PORT.";
  return wrongUsage(
    `Can't listen on ${localAddress}. Check that HOST is an address of this machine and ${advice}`,
  );
}

/** The smallest limit of open files and sockets that causes no warning. It is enough for a few hundred browsers. */
const MIN_DESCRIPTORS_WITHOUT_WARNING = 4096;

export function describeLowDescriptorLimit(limit = readDescriptorLimit()): string | undefined {
  if (limit === undefined || limit >= MIN_DESCRIPTORS_WITHOUT_WARNING) return undefined;
  return `Only ${limit} files and connections can be open at once, and many visitors can use them all up. Raise the limit: LimitNOFILE=65536 in the service, or "ulimit -n 65536" before starting it.`;
}

/** Returns how many files and sockets this process may open; undefined if unlimited or unknown. */
function readDescriptorLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const softLimit = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
    return softLimit === "unlimited" ? undefined : Number(softLimit) || undefined;
  } catch {
    return undefined;
  }
}
