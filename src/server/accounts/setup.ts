/** The routes of the setup page, and the one-time link with which the first owner opens it. */
import { Elysia } from "elysia";
import { checkChange } from "../../schema/entities/check.ts";
import { entities } from "../../schema/index.ts";
import { type BodyFields, readFields } from "../http/body.ts";
import { isForwardedHttps } from "../http/insecureConnections.ts";
import type { Clock } from "../shared/clock.ts";
import { notFound } from "../shared/errors.ts";
import { createExpiringTokenSigner } from "../shared/signedTokens.ts";
import { MINUTE } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { createUser, isSetUp } from "./users.ts";
import { logIn } from "./login.ts";

const DEAD_LINK_MESSAGE =
  "This link no longer works. Restart Limelight for a new one, or log in if the site already has an owner.";

export function createSetupRoutes(accounts: Accounts, setup: SetupLink | undefined) {
  const { visitorPlugin, store } = accounts;
  return new Elysia({ prefix: "/api/setup" })
    .use(visitorPlugin)
    .post("/token", async ({ request }) => {
      const input = await readFields(request);
      if (!setup?.isValidToken(input.token)) throw notFound(DEAD_LINK_MESSAGE);
      return { ok: true };
    })
    .post("", async ({ request, visitor, set }) => {
      const input = await readFields(request);
      if (!setup?.isValidToken(input.token)) throw notFound(DEAD_LINK_MESSAGE);
      const { username, email, password } = input;
      const { site, otherFieldErrors } = readNewSite(input);
      const options = { mustBeFirst: true, names: [site.name], otherFieldErrors };
      const user = await createUser(accounts, { username, email, password }, options);
      setup.close();
      await initializeSite(store, site);
      set.status = 201;
      return logIn(accounts, user, { request, visitor, set, action: "set up the site", input });
    });
}

interface NewSite {
  readonly name: string;
  readonly language?: string;
}

function readNewSite({ siteName, language }: BodyFields): {
  site: NewSite;
  otherFieldErrors: Record<string, string>;
} {
  const input = { name: siteName ?? "", ...(language !== undefined && { language }) };
  const checked = checkChange(entities.site, input);
  if (checked.ok)
    return { site: { ...checked.values, name: String(checked.values.name) }, otherFieldErrors: {} };
  const { name, ...others } = checked.fields;
  return {
    site: { name: "" },
    otherFieldErrors: { ...(name && { siteName: checked.error }), ...others },
  };
}

/** Stores the site's name. If the hero wasn't edited yet, sets the hero's titles and opens the welcome assistant. */
async function initializeSite(store: Store, newSite: NewSite): Promise<void> {
  const { name } = newSite;
  await store.of(entities.site).update((site) => ({ ...site, ...newSite }));
  if (isHeroEdited(store)) return;
  await store.of(entities.hero).update((each) => ({ ...each, mainTitle: name, subtitle: name }));
  await store.of(entities.welcome).update((each) => ({ ...each, state: "open", step: 1 }));
}

/** Whether the site has an owner, or content that was stored before the first owner existed. */
export const hasOwnerOrContent = (store: Store): boolean => isSetUp(store) || isHeroEdited(store);

const isHeroEdited = (store: Store): boolean => store.of(entities.hero).read().revision > 1;

const LINK_TTL_MS = 30 * MINUTE;

export type SetupLink = NonNullable<Awaited<ReturnType<typeof createSetupLink>>>;

/**
 * Returns the setup link; undefined if the site already has a user. Tokens are signed, so every instance accepts them.
 * With an https `siteUrl`, the newest link's 30 minutes begin with the first page request over HTTPS, because nobody
 * can open the link before the certificate is set up.
 */
export async function createSetupLink(store: Store, clock: Clock, siteUrl?: string) {
  if (isSetUp(store)) return undefined;
  const secret = await store.readSecret();
  const tokens = createExpiringTokenSigner(secret, "setup", Number.POSITIVE_INFINITY, clock);
  let isOpen = true;
  let newestLinkAt: number | undefined;
  let firstHttpsAt = siteUrl?.startsWith("https:") ? undefined : Number.NEGATIVE_INFINITY;
  return {
    /** Returns the link with a new token: `/admin/setup#token=…`. Browsers don't send the part after #. */
    createPath() {
      newestLinkAt = clock();
      return `/admin/setup#token=${tokens.createToken("", { at: newestLinkAt })}`;
    },
    /** Must be called for each page request, because the first one over HTTPS starts the newest link's lifetime. */
    recordPageRequest({ headers }: Request) {
      // Browsers send Sec-Fetch-Site only over HTTPS. A forged header only makes the link expire earlier.
      if (isForwardedHttps(headers) || headers.has("sec-fetch-site")) firstHttpsAt ??= clock();
    },
    isValidToken(token: unknown) {
      const createdAt = tokens.readToken(token)?.at;
      if (!isOpen || isSetUp(store) || createdAt === undefined) return false;
      const startsAt =
        createdAt === newestLinkAt ? Math.max(createdAt, firstHttpsAt ?? clock()) : createdAt;
      return clock() - startsAt <= LINK_TTL_MS;
    },
    close: () => {
      isOpen = false;
    },
  };
}
