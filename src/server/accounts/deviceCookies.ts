/** Cookies that recognize the browsers from which a user has logged in (OWASP, "device cookie"). */
import { randomBytes } from "node:crypto";
import { getCookie } from "../http/cookies.ts";
import type { Visitor } from "../http/visitor.ts";
import { createTokenSigner } from "../shared/signedTokens.ts";
import type { User } from "./users.ts";

/** Called after a login from a new browser, except after the user's first login. */
export type OnNewBrowser = (user: User, visitor: Visitor) => void;

/** The maximum lifetime of a cookie in browsers (RFC 6265bis, section 5.5). */
const MAX_AGE_SECONDS = 400 * 24 * 3600;

/** Separates the browser's id from the user's id. No id contains this character, and cookies don't encode it. */
const ID_SEPARATOR = "~";

/** Creates and reads device cookies. A device cookie grants no access and stays after a logout. */
export function createDeviceCookies(secret: Uint8Array, isHttps: boolean) {
  const name = isHttps ? "__Secure-limelight-browser" : "limelight-browser";
  const tokens = createTokenSigner(secret, "browser of");
  const readCookieParts = (request: Request) =>
    tokens.readToken(getCookie(request, name))?.split(ID_SEPARATOR);
  const findId = (request: Request, userId: string | undefined) => {
    const [id, cookieUserId] = readCookieParts(request) ?? [];
    return cookieUserId === userId ? id : undefined;
  };
  const computeDeviceName = (id: string) => tokens.computeSignature(`name of ${id}`).slice(0, 12);
  return {
    /** Whether anyone has logged in with the request's browser. */
    isRecognized: (request: Request) => readCookieParts(request) !== undefined,
    /** Returns the browser's key for `LoginThrottle`; undefined if `userId` hasn't used the browser. */
    findThrottleKey(request: Request, userId: string | undefined) {
      const id = findId(request, userId);
      return id === undefined ? undefined : `browser ${id}`;
    },
    /** Returns the browser's name in the audit log; undefined if `userId` hasn't used the browser. */
    findDeviceName(request: Request, userId: string) {
      const id = findId(request, userId);
      return id === undefined ? undefined : computeDeviceName(id);
    },
    /** Returns a Set-Cookie value that identifies this browser, and the browser's name in the audit log. */
    createCookie(request: Request, userId: string) {
      const id = findId(request, userId) ?? randomBytes(16).toString("base64url");
      const cookie = new Bun.Cookie(name, tokens.createToken(id + ID_SEPARATOR + userId), {
        httpOnly: true,
        sameSite: "strict",
        path: "/api/auth",
        secure: isHttps,
        maxAge: MAX_AGE_SECONDS,
      });
      return { cookie: cookie.serialize(), deviceName: computeDeviceName(id) };
    },
  };
}
