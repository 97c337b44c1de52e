/** A site that sends its mail to a server on this machine. */
import { startMailServer } from "./mailServer.ts";
import { type SiteOptions, startSite } from "./startSite.ts";

interface MailSiteOptions extends Omit<SiteOptions, "plugins" | "port"> {
  /** False: the server runs, but the site doesn't know it. */
  readonly isMailSetUp?: boolean;
  /** With the limits of a real site. */
  readonly hasLimits?: boolean;
}

/** Starts both; the caller stops both. */
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
