/** The cookie that carries the session's token: HttpOnly, Lax, whole site, Secure under https. */
import { cookieName } from "./guard.ts";
import { SESSION_LIMIT } from "./sessions.ts";

/** The headers of an answer, as Elysia's `set` holds them. */
interface Answer {
  headers: Record<string, unknown>;
}

/** Sets and clears the cookie. */
export interface SessionCookie {
  set(answer: Answer, token: string): void;
  clear(answer: Answer): void;
}

/**
 * `https`: whether the site's public address is, as browsers refuse Secure cookies without. The header
 * is written here, since Elysia's own cookies depend on a search in the source of functions.
 */
export function sessionCookie(https: boolean): SessionCookie {
  const flags = { httpOnly: true, sameSite: "lax", path: "/", secure: https } as const;
  const write = ({ headers }: Answer, value: string, maxAge: number) => {
    const cookie = new Bun.Cookie(cookieName(https), value, { ...flags, maxAge });
    headers["set-cookie"] = cookie.serialize();
  };
  return {
    set: (answer, token) => write(answer, token, SESSION_LIMIT / 1000),
    clear: (answer) => write(answer, "", 0),
  };
}
