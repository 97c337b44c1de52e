/**
 * A forgotten password: a link by mail with which a new one is chosen. The link is signed with the site's
 * secret over who it is for, until when, and the password and address of now: so it works once, nothing of
 * it is stored, and whoever reads the data makes none.
 */
import { Elysia } from "elysia";
import { randomInt } from "node:crypto";
import { readFields } from "../http/checkedBody.ts";
import type { RateLimits } from "../http/limits.ts";
import type { Visitor } from "../http/visitor.ts";
import { invalid, notFound } from "../shared/errors.ts";
import type { Clock } from "../shared/clock.ts";
import { expiring, signed } from "../shared/signed.ts";
import { MINUTE } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { SOMEBODY } from "./auditLog.ts";
import { changePassword, findUser, requireGoodPassword, type User, usersOf } from "./owners.ts";

/** How long a link works. */
const LINK_WORKS = 30 * MINUTE;

export interface PasswordLinks {
  /** How long one works, in milliseconds. */
  readonly works: number;
  /** The path of one that works from `at` on, in milliseconds since 1970. */
  pathFor(user: User, at: number): string;
  /** Whose it is; undefined for one that is forged, over or used up. */
  userOf(token: unknown): User | undefined;
}

/** Signed links: none is stored, and a new password or address makes those of before worthless. */
export function passwordLinks(store: Store, secret: Uint8Array, clock: Clock): PasswordLinks {
  const tokens = expiring(signed(secret, "new-password"), LINK_WORKS, clock);
  return {
    works: LINK_WORKS,
    pathFor: (user, at) =>
      `/admin/password#token=${tokens.make(user.id, { at, bound: boundTo(user) })}`,
    userOf(token) {
      const [id] = String(token).split(".");
      const user = usersOf(store)
        .read()
        .value.find((each) => each.id === id);
      return user && tokens.read(token, boundTo(user))?.text === user.id ? user : undefined;
    },
  };
}

const boundTo = ({ email, passwordHash }: User) => `${email}:${passwordHash}`;

/** What of the site's mail is needed; `app.ts` hands it in. */
interface PasswordPost {
  /** Mail is set up, and the site knows its own address, which a link begins with. */
  isPossible(): boolean;
  /** Writes to them, or doesn't where there were too many such messages. Resolves once it is stored. */
  sendLink(user: User): Promise<void>;
  /** Tells them that it was used. */
  tellOfChange(user: User): Promise<void>;
}

interface ForgottenContext extends Accounts {
  readonly rateLimit: RateLimits;
  readonly links: PasswordLinks;
  readonly post: PasswordPost;
  readonly log: (line: string) => void;
  readonly onStop: (end: () => unknown) => void;
}

const DEAD_LINK = "This link no longer works. Ask for a new one on the login page.";
const NO_MAIL = "This site sends no mail, so it can't send a link either.";

/**
 * `GET /api/auth/forgotten` tells whether links are sent, `POST {login}` asks for one: the response comes
 * before anything is looked up, is the same for everybody, and nobody's asking keeps anybody else from it
 * (what is sent to one person is bounded by `post`). `POST …/link {token}` tells whose one is, `POST
 * …/password {token, newPassword}` uses it up: all sessions end, nobody is logged in by it, and a second
 * factor is asked for as ever; but the browser is known from now on, and waits for no stranger's guesses.
 */
export function forgottenRoutes(context: ForgottenContext) {
  const { visitors, links, post, log, ...accounts } = context;
  const { store, sessions, audit, rateLimit } = accounts;
  const soon = takenUpSoon(context);
  const trying = rateLimit({
    name: "password links",
    perVisitor: { burst: 20, perMinute: 2 },
    wholeSite: { burst: 300, perMinute: 60 },
    reserve: { perNetwork: ONE_AN_HOUR, wholeSite: { burst: 60, perMinute: 1 } },
  });
  /** Only dead ones are counted. */
  const required = (token: unknown, visitor: Visitor): User => {
    const user = links.userOf(token);
    if (user) return user;
    trying.take(visitor);
    throw notFound(DEAD_LINK);
  };
  return new Elysia({ prefix: "/api/auth/forgotten" })
    .use(visitors)
    .get("", () => ({ possible: post.isPossible() }))
    .post(
      "",
      async ({ request, visitor }) => {
        const { login } = await readFields(request);
        if (typeof login !== "string" || login.trim() === "")
          throw invalid("Please fill in all fields", { login: "This can't be empty." });
        if (!post.isPossible()) throw notFound(NO_MAIL);
        setImmediate(() => soon(findUser(store, login)?.id, visitor));
        return { ok: true };
      },
      { parse: "none" },
    )
    .post(
      "/link",
      async ({ request, visitor }) => {
        return { username: required((await readFields(request)).token, visitor).username };
      },
      { parse: "none" },
    )
    .post(
      "/password",
      async ({ request, visitor, set }) => {
        const { token, newPassword } = await readFields(request);
        const user = required(token, visitor);
        requireGoodPassword(store, user.id, newPassword);
        // Twice, as for a password that is changed in the dashboard.
        await sessions.endOthers(user.id);
        // Of two uses at the same moment the later finds the link used up.
        await changePassword(accounts, user.id, newPassword, () => {
          if (!links.userOf(token)) throw notFound(DEAD_LINK);
        });
        await sessions.endOthers(user.id);
        const by = { username: user.username, userId: user.id };
        audit.note({ kind: "people", what: "chose a new password by a link", by, visitor });
        void post.tellOfChange(user).catch(() => log(NOT_WRITTEN));
        set.headers["set-cookie"] = accounts.browsers.know(request, user.id).cookie;
        set.status = 204;
      },
      { parse: "none" },
    );
}

/** After how many milliseconds at the earliest, and within how many more. */
export const TAKEN_UP_AFTER = 500;
const SPREAD = 1_200;

/**
 * Takes up what was asked for a moment later, at one that chance chooses: how long the next call takes tells
 * nobody whether there is such an account. One at a time for each account, and for all names of nobody.
 */
function takenUpSoon({ store, audit, post, log, onStop }: ForgottenContext) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  onStop(() => {
    for (const timer of waiting.values()) clearTimeout(timer);
  });
  const takeUp = (userId: string | undefined, visitor: Visitor) => {
    const user = usersOf(store)
      .read()
      .value.find(({ id }) => id === userId);
    const detail = user ? `For ${user.username}` : "For no account of this site";
    const by = { ...SOMEBODY, userId: user?.id ?? null };
    audit.note({ kind: "failedLogin", what: "asked for a new password", detail, by, visitor });
    if (user) post.sendLink(user).catch(() => log(NOT_WRITTEN));
  };
  return (userId: string | undefined, visitor: Visitor) => {
    const key = userId ?? "";
    if (waiting.has(key)) return;
    const timer = setTimeout(
      () => {
        waiting.delete(key);
        takeUp(userId, visitor);
      },
      TAKEN_UP_AFTER + randomInt(SPREAD),
    );
    waiting.set(key, timer.unref());
  };
}

const ONE_AN_HOUR = { burst: 1, perMinute: 1 / 60 };

const NOT_WRITTEN = "A message about a password couldn't be written.";
