/** How a site listens, and how it stops. */
import type { createApp } from "../app.ts";
import { boundConnections, descriptorLimit, tooFewDescriptors } from "../http/connections.ts";
import { LISTENING } from "../http/frontDoor.ts";
import { isAmong, isPrivateAddress } from "../http/visitor.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { keepSpareDescriptors } from "../storage/spareDescriptors.ts";

type App = Awaited<ReturnType<typeof createApp>>;

export interface Listening {
  /** Where it is reached on this machine: "127.0.0.1:3000". */
  readonly at: string;
  /** Takes no more requests; resolves when those under way are over, or were cut off for taking too long. */
  stop(): Promise<void>;
}

/** Throws `usage` where it can't. `say` is told what whoever started it should know. */
export function listen(app: App, config: Config, say: (line: string) => void): Listening {
  const { host, port } = config;
  try {
    app.listen({ ...LISTENING, hostname: host, port });
  } catch {
    throw wrongUsage(
      `Can't listen on ${host}:${port}. Another program may be using that port: choose another with PORT.`,
    );
  }
  const connections = bounded(config, app.server!.port!, say);
  return {
    at: `${host}:${app.server!.port}`,
    async stop() {
      connections?.stop();
      await stopListening(app);
    },
  };
}

/** Visitors' connections leave some of what the process can have open to the disk. */
function bounded({ trustedProxies = [] }: Config, port: number, say: (line: string) => void) {
  const descriptors = descriptorLimit();
  if (descriptors === undefined) return undefined;
  const warning = tooFewDescriptors(descriptors);
  if (warning) say(warning);
  keepSpareDescriptors();
  const isProxy = isAmong(trustedProxies);
  const isSpared = (address: string) => isProxy(address) || isPrivateAddress(address);
  return boundConnections({ port, descriptors, isSpared });
}

/** How long those who are sending or being sent something have, in milliseconds. */
const LAST_REQUESTS_MS = 8000;

async function stopListening(app: App): Promise<void> {
  const isOver = await Promise.race([
    app.stop().then(() => true),
    Bun.sleep(LAST_REQUESTS_MS).then(() => false),
  ]);
  if (!isOver) void app.stop(true);
}
