/** The cookie that carries the session's token: HttpOnly, Lax, whole site, Secure under https. */
import type { Cookie } from "elysia";
import { cookieName } from "./guard.ts";
import { SESSION_LIMIT } from "./sessions.ts";

/** The cookies of a request, as Elysia gives them to handlers. */
export type CookieJar = Record<string, Cookie<unknown>>;

/** Sets and clears the cookie. */
export interface SessionCookie {
  set(jar: CookieJar, token: string): void;
  clear(jar: CookieJar): void;
}

/** `https`: whether the site's public address is, as browsers refuse Secure cookies without. */
export function sessionCookie(https: boolean): SessionCookie {
  const flags = { httpOnly: true, sameSite: "lax", path: "/", secure: https } as const;
  const name = cookieName(https);
  return {
    set: (jar, value) => void jar[name]!.set({ ...flags, value, maxAge: SESSION_LIMIT / 1000 }),
    clear: (jar) => void jar[name]!.set({ ...flags, value: "", maxAge: 0 }),
  };
}
