/** Browsers that login recognizes: those that somebody has logged in with, and those that were told to wait. */
import { randomBytes } from "node:crypto";
import { cookieOf } from "../http/cookies.ts";
import type { Visitor } from "../http/visitor.ts";
import { signed } from "../shared/signed.ts";
import type { Standing } from "./guessing.ts";
import type { User } from "./owners.ts";

/** Browsers that somebody has logged in with (OWASP, "device cookie"). */
export interface KnownBrowsers {
  /** What this browser's tries are counted by when it logs in as `userId`. */
  find(request: Request, userId: string | undefined): Standing;
  /** The Set-Cookie that identifies a stranger's browser when it comes back after waiting. */
  wait(request: Request): string;
  /** The Set-Cookie that makes this browser known, and a harmless name for it. */
  know(request: Request, userId: string): { readonly cookie: string; readonly device: string };
  /** The name of a request's browser; undefined for a stranger's. */
  deviceOf(request: Request, userId: string): string | undefined;
}

/** Called after a login from a browser new to this person, except for their very first one. */
export type OnNewBrowser = (user: User, visitor: Visitor) => void;

/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5). */
const KNOWN_SECONDS = 400 * 24 * 3600;
/** As long as tries are counted. */
const WAITING_SECONDS = 3600;

/**
 * Identified by their own cookie, signed with a key derived from the site's secret, so that it survives a restart. It
 * grants no access, is kept on logout, and is sent only to login routes.
 */
export function knownBrowsers(secret: Uint8Array, https: boolean): KnownBrowsers {
  const names = https
    ? { known: "__Secure-limelight-browser", waiting: "__Secure-limelight-waiting" }
    : { known: "limelight-browser", waiting: "limelight-waiting" };
  const tokens = signed(secret, "known-browser");
  /** The id in a cookie signed for this. */
  const idIn = (request: Request, name: string, signedFor: string) =>
    tokens.read(cookieOf(request, name), signedFor);
  const idOf = (request: Request, userId: string | undefined) =>
    userId === undefined ? undefined : idIn(request, names.known, userId);
  const cookie = (name: string, id: string, signedFor: string, maxAge: number) =>
    new Bun.Cookie(name, tokens.make(id, signedFor), {
      httpOnly: true,
      sameSite: "strict",
      path: "/api/auth",
      secure: https,
      maxAge,
    }).serialize();
  const nameOf = (id: string) => tokens.signatureOf(`name of ${id}`).slice(0, 12);
  return {
    find(request, userId) {
      const id = idOf(request, userId);
      if (id !== undefined) return { known: `browser ${id}` };
      const waiting = idIn(request, names.waiting, WAITING);
      return waiting === undefined ? {} : { waiting };
    },
    wait(request) {
      const id = idIn(request, names.waiting, WAITING) ?? newId();
      return cookie(names.waiting, id, WAITING, WAITING_SECONDS);
    },
    deviceOf(request, userId) {
      const id = idOf(request, userId);
      return id === undefined ? undefined : nameOf(id);
    },
    know(request, userId) {
      const id = idOf(request, userId) ?? newId();
      return { cookie: cookie(names.known, id, userId, KNOWN_SECONDS), device: nameOf(id) };
    },
  };
}

const newId = () => randomBytes(16).toString("base64url");

/** Signed with the id of a waiting browser; no user has this id. */
const WAITING = "waiting";
