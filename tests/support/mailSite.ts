/** A site that sends its mail to a server on this machine. */
import { startMailServer } from "./mailServer.ts";
import { type SiteOptions, startSite } from "./startSite.ts";

interface MailSiteOptions extends Omit<SiteOptions, "plugins" | "port"> {
  /** If false, the server runs, but the site doesn't know it. */
  readonly isMailSetUp?: boolean;
  /** Whether the limits of a real site apply. */
  readonly hasLimits?: boolean;
}

/** Starts the site and the mail server. The caller must stop both. */
export async function startMailSite(options: MailSiteOptions = {}) {
  const {
    isMailSetUp: isSetUp = true,
    hasAddress = false,
    hasLimits: limited = false,
    env,
    ...more
  } = options;
  const server = await startMailServer({ hasLogin: false, isPlain: true });
  const MAIL_URL = `smtp://127.0.0.1:${server.port}`;
  const site = await startSite({
    ...more,
    hasAddress,
    env: {
      ...(!limited && { RATE_LIMIT: "off" }),
      ...(isSetUp && { MAIL_URL, MAIL_FROM: "Vera <site@example.com>" }),
      ...env,
    },
  });
  return { site, server, context: site.context };
}
