/** Password reset by a mailed link. The link's signature covers the password hash, so a link works only once. */
import { Elysia } from "elysia";
import { randomInt } from "node:crypto";
import { entities } from "../../schema/index.ts";
import { readFields } from "../http/body.ts";
import type { CreateRateLimit } from "../http/rateLimits.ts";
import type { Visitor } from "../http/visitor.ts";
import { invalidInput, notFound } from "../shared/errors.ts";
import type { Clock } from "../shared/clock.ts";
import { createExpiringTokenSigner } from "../shared/signedTokens.ts";
import { MINUTE } from "../shared/time.ts";
import { findItem, type Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { changePassword, findUser, assertValidPassword, type User } from "./users.ts";

const LINK_TTL_MS = 30 * MINUTE;

export type PasswordLinks = ReturnType<typeof createPasswordLinks>;

/** Creates and reads the links. A new password or email address invalidates all of a user's earlier links. */
export function createPasswordLinks(store: Store, secret: Uint8Array, clock: Clock) {
  const tokens = createExpiringTokenSigner(secret, "new-password", LINK_TTL_MS, clock);
  return {
    validForMs: LINK_TTL_MS,
    /** Returns the path of a link that is valid from `at` on (milliseconds since 1970). */
    createPath: (user: User, at: number) =>
      `/admin/password#token=${tokens.createToken(user.id, { at, boundText: getBoundText(user) })}`,
    /** Returns a token's user; undefined if the token is forged, expired or used. */
    findTokenUser(token: unknown) {
      const [id] = String(token).split(".");
      const user = findItem(store, entities.users, id);
      return user && tokens.readToken(token, getBoundText(user))?.text === user.id
        ? user
        : undefined;
    },
  };
}

const getBoundText = ({ email, passwordHash }: User) => `${email}:${passwordHash}`;

/** The messages of a password reset (implemented in `mail/messages/accountMessages.ts`). */
interface PasswordMailer {
  /** Whether mail is set up and SITE_URL, the start of each link, is configured. */
  canSendLinks(): boolean;
  /** Queues a message with the link, unless the user has received too many. Resolves once the message is stored. */
  sendLink(user: User): Promise<void>;
  notifyPasswordChanged(user: User): Promise<void>;
}

interface PasswordResetContext extends Accounts {
  readonly createRateLimit: CreateRateLimit;
  readonly passwordLinks: PasswordLinks;
  readonly mailer: PasswordMailer;
  readonly log: (line: string) => void;
  readonly onStop: (end: () => unknown) => void;
}

const DEAD_LINK_MESSAGE = "This link no longer works. Ask for a new one on the login page.";
const NO_MAIL_MESSAGE =
  "This site can't send you a link by email. Ask whoever runs the site to reset your password.";

/**
 * POST `/api/auth/forgotten {login}` requests a link. The response is the same for every login and is sent before the
 * user is looked up. POST `/password` doesn't log the user in, because a second factor may be required, but sets a
 * device cookie, so that guesses from other browsers don't delay the login.
 */
export function createPasswordResetRoutes(context: PasswordResetContext) {
  const { visitorPlugin, passwordLinks, mailer, log, audit, deviceCookies } = context;
  const scheduleReset = createDelayedReset(context);
  const openLinkRateLimit = context.createRateLimit({
    name: "password links",
    perVisitor: { burst: 20, perMinute: 2 },
    wholeSite: { burst: 300, perMinute: 60 },
    reserve: { perNetwork: HOURLY_LIMIT, wholeSite: { burst: 60, perMinute: 1 } },
  });
  /** Returns the token's user, or throws a 404. Only invalid tokens count toward the limit. */
  const requireUser = (token: unknown, visitor: Visitor): User => {
    const user = passwordLinks.findTokenUser(token);
    if (user) return user;
    openLinkRateLimit.consume(visitor);
    throw notFound(DEAD_LINK_MESSAGE);
  };
  return new Elysia({ prefix: "/api/auth/forgotten" })
    .use(visitorPlugin)
    .get("", () => ({ possible: mailer.canSendLinks() }))
    .post(
      "",
      async ({ request, visitor }) => {
        const { login } = await readFields(request);
        if (typeof login !== "string" || login.trim() === "")
          throw invalidInput("Please fill in all fields", { login: "This can't be empty." });
        if (!mailer.canSendLinks()) throw notFound(NO_MAIL_MESSAGE);
        setImmediate(() => scheduleReset(findUser(context.store, login)?.id, visitor));
        return { ok: true };
      },
      { parse: "none" },
    )
    .post(
      "/link",
      async ({ request, visitor }) => ({
        username: requireUser((await readFields(request)).token, visitor).username,
      }),
      { parse: "none" },
    )
    .post(
      "/password",
      async ({ request, visitor, set }) => {
        const { token, newPassword } = await readFields(request);
        const user = requireUser(token, visitor);
        await setPassword(context, user, { token, newPassword });
        const actor = { username: user.username, userId: user.id };
        const action = "reset their password using an emailed link";
        audit.record({ kind: "people", action, actor, visitor });
        void mailer.notifyPasswordChanged(user).catch(() => log(NOT_QUEUED_MESSAGE));
        set.headers["set-cookie"] = deviceCookies.createCookie(request, user.id).cookie;
        set.status = 204;
      },
      { parse: "none" },
    );
}

async function setPassword(
  context: PasswordResetContext,
  { id }: User,
  { token, newPassword }: { readonly token: unknown; readonly newPassword: unknown },
): Promise<void> {
  const { store, sessions, passwordLinks } = context;
  assertValidPassword(store, id, newPassword);
  // Ends the sessions before and after the change; accountRoutes.ts explains why.
  await sessions.endOthers(id);
  // Reads the token again inside the write, so only one of two simultaneous uses of a link succeeds.
  await changePassword(context, id, newPassword, () => {
    if (!passwordLinks.findTokenUser(token)) throw notFound(DEAD_LINK_MESSAGE);
  });
  await sessions.endOthers(id);
}

export const MIN_RESET_DELAY_MS = 500;
const RESET_DELAY_SPREAD_MS = 1_200;

/**
 * Returns a function that handles a request for a link after a random delay. Without the delay, the sender's next
 * request would be slower if the account exists, which would reveal the account. Each account has at most one pending
 * request.
 */
function createDelayedReset({ store, audit, mailer, log, onStop }: PasswordResetContext) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  onStop(() => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
  const handleRequest = (userId: string | undefined, visitor: Visitor) => {
    const user = findItem(store, entities.users, userId);
    audit.recordFailedLogin("requested a password reset", user, visitor);
    if (user) mailer.sendLink(user).catch(() => log(NOT_QUEUED_MESSAGE));
  };
  return (userId: string | undefined, visitor: Visitor) => {
    const key = userId ?? "";
    if (timers.has(key)) return;
    const timer = setTimeout(
      () => {
        timers.delete(key);
        handleRequest(userId, visitor);
      },
      MIN_RESET_DELAY_MS + randomInt(RESET_DELAY_SPREAD_MS),
    );
    timers.set(key, timer.unref());
  };
}

const HOURLY_LIMIT = { burst: 1, perMinute: 1 / 60 };

const NOT_QUEUED_MESSAGE = "A password email couldn't be queued.";
