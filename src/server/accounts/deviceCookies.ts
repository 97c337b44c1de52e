/** Cookies of browsers that somebody has logged in with (OWASP, "device cookie"). */
import { randomBytes } from "node:crypto";
import { getCookie } from "../http/cookies.ts";
import type { Visitor } from "../http/visitor.ts";
import { createTokenSigner } from "../shared/signedTokens.ts";
import type { User } from "./users.ts";

/** Browsers that login recognizes. */
export type DeviceCookies = ReturnType<typeof createDeviceCookies>;

/** Called after a login from a browser new to this person, except for their very first one. */
export type OnNewBrowser = (user: User, visitor: Visitor) => void;

/** The maximum lifetime of a cookie in browsers (RFC 6265bis, section 5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 3600;

/** Between the browser's id and the user's: in neither, and in cookies as it is. */
const ID_SEPARATOR = "~";

/**
 * Identified by their own cookie, signed with a key derived from the site's secret, so that it survives a restart. It
 * grants no access, survives a logout, and is sent only to login routes.
 */
export function createDeviceCookies(secret: Uint8Array, https: boolean) {
  const name = https ? "__Secure-limelight-browser" : "limelight-browser";
  const tokens = createTokenSigner(secret, "browser of");
  const readCookie = (request: Request) =>
    tokens.read(getCookie(request, name))?.split(ID_SEPARATOR);
  const idOf = (request: Request, userId: string | undefined) => {
    const [id, owner] = readCookie(request) ?? [];
    return owner === userId ? id : undefined;
  };
  const nameOf = (id: string) => tokens.signatureOf(`name of ${id}`).slice(0, 12);
  return {
    /** Whether anybody has logged in with this browser, without a lookup. */
    isKnown: (request: Request) => readCookie(request) !== undefined,
    /** The key that counts this browser's attempts to log in as `userId`; undefined for a stranger's. */
    deviceId(request: Request, userId: string | undefined) {
      const id = idOf(request, userId);
      return id === undefined ? undefined : `browser ${id}`;
    },
    /** The name of a request's browser; undefined for a stranger's. */
    deviceName(request: Request, userId: string) {
      const id = idOf(request, userId);
      return id === undefined ? undefined : nameOf(id);
    },
    /** The Set-Cookie that makes this browser known, and a harmless name for it. */
    rememberCookie(request: Request, userId: string) {
      const id = idOf(request, userId) ?? randomBytes(16).toString("base64url");
      const cookie = new Bun.Cookie(name, tokens.make(id + ID_SEPARATOR + userId), {
        httpOnly: true,
        sameSite: "strict",
        path: "/api/auth",
        secure: https,
        maxAge: MAX_AGE_SECONDS,
      });
      return { cookie: cookie.serialize(), device: nameOf(id) };
    },
  };
}
